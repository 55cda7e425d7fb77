/**
 * Whether a call is meant or only spoken of. Structure decides first; a few words decide what it leaves open.
 */
import { cues } from './cues.ts'

/** So many characters of the words on either side are looked at. */
const WINDOW = 300

const isWordAt = (text: string, at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at))

/** In small letters, with what was drawn together in full. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\bwon't\b/g, 'will not')
    .replace(/\bcan't\b|\bcannot\b/g, 'can not')
    .replace(/n't\b/g, ' not')

/** Words of scripts that put no space between them. */
const isWithoutSpaces = (cue: string): boolean => /[\u3040-\u9fff]/.test(cue)

/** The last place where one of the cues stands as words of its own, -1 for none. */
function lastPlace(text: string, words: readonly string[]): number {
  let last = -1
  for (const cue of words) {
    for (let at = text.lastIndexOf(cue); at > last; at = at === 0 ? -1 : text.lastIndexOf(cue, at - 1)) {
      if (isWithoutSpaces(cue) || (!isWordAt(text, at - 1) && !isWordAt(text, at + cue.length))) last = at
    }
  }
  return last
}

/**
 * Whether the words around a call speak against it: the nearest cue before it, or any behind it. A marker is a strong
 * sign, so that only its own sentence can.
 *
 * @example
 * speakAgainst('Do not run', '') // true
 * speakAgainst('I cannot see it, so let me look:', '') // false
 */
export function speakAgainst(before: string, behind: string, reach: 'sentence' | 'window' = 'window'): boolean {
  if (isSetApart(before)) return true
  const sentence = plain(lastSentence(before))
  const left = reach === 'sentence' ? sentence : plain(before.slice(-WINDOW))
  const right = plain(behind.slice(0, WINDOW))
  const announced = lastPlace(sentence, cues.announcing)
  return (
    lastPlace(left, cues.vetoing) > lastPlace(left, cues.announcing) ||
    lastPlace(sentence, cues.denying) > announced ||
    (announced < 0 && lastPlace(sentence, cues.telling) >= 0) ||
    isLabelled(before) ||
    lastPlace(right, cues.vetoing) >= 0 ||
    lastPlace(plain(behind), cues.retracting) >= 0 ||
    // The next message of a conversation that is shown.
    /"role"\s*:\s*"(?:tool|user)"/.test(behind)
  )
}

/** Whether a marked call stands in the middle of a sentence that does not announce it: `The string <tool_call>…`. */
export const isMidSentence = (before: string): boolean =>
  isSentenceOpen(before, '') && lastPlace(plain(lastSentence(before)), cues.announcing) < 0

/** The sentence that a call stands in, or that a fence around it belongs to. One that has ended is another. */
function lastSentence(text: string): string {
  const isFenced = /```\w*\s*$/.test(text)
  const trimmed = text
    .slice(-WINDOW)
    .replace(/\s*```\w*\s*$/, '')
    .trimEnd()
  // A question before a call is one about it.
  if (!isFenced && /[.!]$/.test(trimmed)) return ''
  const ends = ['\n', '. ', '! ', '? '].map((end) => trimmed.slice(0, -1).lastIndexOf(end))
  return trimmed.slice(Math.max(...ends) + 1)
}

/** So many words may a line have that says what is shown below. */
const LONGEST_LABEL = 5

/** Whether the line above says that something is shown, and not done. */
function isLabelled(text: string): boolean {
  const above = text.slice(-WINDOW).replace(/\s*```\w*\s*$/, '')
  const line = plain(above.trimEnd().split('\n').at(-1) ?? '')
  const isShort = line.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '').length <= LONGEST_LABEL
  return (
    isShort && /[:*_\n]\s*$/.test(above) && lastPlace(line, cues.labels) >= 0 && lastPlace(line, cues.announcing) < 0
  )
}

/** Whether a place is set apart from what is said: in a comment, a quotation, quotes, a table, an example, or struck out. */
function isSetApart(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const isOpen = (open: string, close: string): boolean => before.lastIndexOf(open) > before.lastIndexOf(close)
  return (
    /^\s*(?:>|#|\/\/|\*\s|--\s|\|)/.test(line) ||
    /["'“‘«]$/.test(line) ||
    line.split('~~').length % 2 === 0 ||
    ['example', 'pre', 'code', 'details'].some((tag) => isOpen(`<${tag}>`, `</${tag}>`)) ||
    isOpen('<!--', '-->') ||
    isOpen('/*', '*/')
  )
}

/** Whether a call stands in the middle of a sentence: words on the same line that do not end before it, or go on behind it. */
export function isSentenceOpen(before: string, behind: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1).trimEnd()
  return /[\p{L}\p{N},'"]$/u.test(line) || /^[^\S\n]*[\p{L}\p{N}]/u.test(behind)
}

/** Words before a colon that announce a call on the same line. */
const callWords = /\b(?:call|calls|calling|function|functions|tool|tools|action|api|invoke|execute)\b/i

/** A text without tags and tokens that mean nothing here. */
const withoutMarks = (text: string): string => text.replace(/<\/?[\w:-]+>|<\|[^|\s]*\|>|\[\/?[A-Z_]+\]/g, '')

/**
 * Whether code that only a tool's name makes a call stands for itself: alone in its paragraph, and with words around it
 * only where they hand it over. Else it is part of a program, a document, or what somebody else may type.
 */
export function standsForItself(before: string, behind: string): boolean {
  const above = withoutMarks(before)
  const below = withoutMarks(behind)
  const [own = '', last = ''] = above
    .slice(above.lastIndexOf('\n\n') + 1)
    .split('\n')
    .toReversed()
  const lead = own.trim().replace(/^(?:[-*•]|\d{1,3}[.)])\s*/, '')
  const isCalled = lead.endsWith(':') && callWords.test(lead)
  const isLead = lead === '' || /^[A-Za-z_]\w*\s*=$/.test(lead) || isCalled
  const isBelow = last.trim() === '' || /[:.!]$/.test(last.trim()) || isNumbered(last)
  const end = below.search(/\n\s*\n/)
  const isAlone = isLead && isBelow && /^[\s,;)]*$/.test(end < 0 ? below : below.slice(0, end))
  const isOffered = isCalled || lastPlace(plain(above.slice(-WINDOW)), [...cues.announcing, ...cues.offering]) >= 0
  return isAlone && (isOffered || (isOnlyLead.test(above) && /^[\s,;)]*$/.test(below)))
}

/** Nothing before a call but the number of a list, or a name that takes the result. */
const isOnlyLead = /^\s*(?:(?:[-*•]|\d{1,3}[.)])\s*)?(?:[A-Za-z_]\w*\s*=\s*)?$/

const isNumbered = (line: string): boolean => /^\s*(?:[-*•]|\d{1,3}[.)])\s*$/.test(line)

/** Whether words before arguments only hand them over: they promise or offer them, and end there. */
export function handsOver(before: string): boolean {
  const left = plain(before.slice(-WINDOW))
  const hasCue = lastPlace(left, [...cues.announcing, ...cues.offering]) >= 0
  return hasCue && /[:\n]\s*(?:```\w*\s*)?$/.test(left) && !speakAgainst(before, '')
}

/** Whether a text is rather a reply to the person than something for a tool. */
export function soundsLikeReply(text: string): boolean {
  const start = plain(text.trimStart().slice(0, 40))
  return cues.replying.some((cue) => start.startsWith(cue) && !isWordAt(start, cue.length))
}
