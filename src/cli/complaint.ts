/** Something is not there, or cannot be done: told in its words, with exit code 1. */
export class Complaint extends Error {}
