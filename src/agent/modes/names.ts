/** How the agent can talk with a model, in the order in which they are tried. */
export const modeNames = ['native', 'structured', 'json', 'react'] as const

/** How the agent talks with a model. */
export type ModeName = (typeof modeNames)[number]
