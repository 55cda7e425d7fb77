/**
 * Words that tell whether a call is meant or only spoken of. Structure decides first; these few decide what it leaves open.
 */
const announcing = ['i will', "i'll", 'let me', 'calling', 'i am going to', "i'm going to", 'now', 'here is', "here's"]
const vetoing = [
  ...['do not', "don't", 'never', 'cannot', "can't", 'will not', "won't", 'should not', "shouldn't", 'unable to'],
  ...[
    'instead of',
    'rather than',
    'not run',
    'not call',
    'no longer',
    'not applicable',
    'would',
    'could have',
    'for example',
  ],
  ...['example:', 'e.g.', 'for instance', 'such as', 'looks like', 'look like', 'suppose', 'imagine', 'hypothetical'],
]
const replying = [
  ...[
    'sorry',
    "i'm sorry",
    'i am sorry',
    'unfortunately',
    'i cannot',
    "i can't",
    'i am unable',
    "i'm unable",
    'as an ai',
  ],
  ...[
    'i do not',
    "i don't",
    'i would',
    'i will not',
    "i won't",
    'no arguments',
    'no parameters',
    'not applicable',
    'nothing',
  ],
]

/** So many characters of the words on either side are looked at. */
const WINDOW = 300

const isWordAt = (text: string, at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at))

/** The last place where one of the cues stands as words of its own, -1 for none. */
function lastPlace(text: string, cues: readonly string[]): number {
  let last = -1
  for (const cue of cues) {
    for (let at = text.lastIndexOf(cue); at > last; at = text.lastIndexOf(cue, at - 1)) {
      const isWhole = !isWordAt(text, at - 1) && !isWordAt(text, at + cue.length)
      if (isWhole) last = at
      if (at === 0) break
    }
  }
  return last
}

/**
 * Whether the words around a call speak against it: the nearest cue before it, or any behind it.
 *
 * @example
 * speakAgainst('Do not run', '') // true
 * speakAgainst('I cannot see it, so let me look:', '') // false
 */
export function speakAgainst(before: string, behind: string): boolean {
  const left = before.slice(-WINDOW).toLowerCase().replaceAll('’', "'")
  const right = behind.slice(0, WINDOW).toLowerCase().replaceAll('’', "'")
  return lastPlace(left, vetoing) > lastPlace(left, announcing) || lastPlace(right, vetoing) >= 0
}

/** Whether a text is rather a reply to the person than something for a tool. */
export function soundsLikeReply(text: string): boolean {
  const start = text.trimStart().slice(0, 40).toLowerCase().replaceAll('’', "'")
  return replying.some((cue) => start.startsWith(cue) && !isWordAt(start, cue.length))
}
