import { isPlainWordsExempt, isTest } from './project-parts.ts'
import { type MaskedSource, toLine } from './source-text.ts'
import type { Violation } from './violation.ts'

/**
 * Words that are hard to understand for new readers, with the standard term (docs/domain/glossary.md, "Software").
 * They are refused in comments, in titles of tests, in identifiers and in file names.
 */
export const retiredWords: Readonly<Record<string, string>> = {
  kept: 'cached or retained',
  told: 'notified, reported or sent',
  tells: 'notifies, reports or sends',
  telling: 'notifying',
  news: 'events',
  sight: 'snapshot',
  whoever: 'the user or device that',
  lane: 'concentrator queue',
  lanes: 'concentrator queues',
  halves: 'bisect',
  heard: 'reported or received',
  hears: 'receives',
  unheard: 'silent or unreported',
  deed: 'action or operation',
  deeds: 'actions or operations',
  mend: 'repair or fix',
  mends: 'repairs or fixes',
  mended: 'repaired or fixed',
  glued: 'joined',
  asked: 'requested',
  sick: 'faulty',
  happening: 'event or history entry',
  happenings: 'events or history entries',
}
/**
 * Words that are retired within a longer name, where the standard prefix of a bound is min or max (`minFlowM3H`,
 * `maxHours`). Alone, and in comments ("at most"), they are plain.
 */
const retiredInNames: Readonly<Record<string, string>> = { least: 'min', most: 'max', greatest: 'max' }
/** Phrases of two words, refused in comments, titles and names. */
const retiredPhrases: Readonly<Record<string, string>> = {
  'way back': 'rollback',
  'give way': 'yield',
  'gives way': 'yields',
  'set apart': 'quarantined',
  'taking in': 'accepting',
  'next look': 'next check',
  'became of': 'the outcome of',
  'becomes of': 'the outcome of',
  'says nothing': 'is no evidence',
}

const IDENTIFIER = /[A-Za-z_$][\w$]*/g
const toWords = (identifier: string): readonly string[] =>
  identifier
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$.-]+/)

const toPattern = (words: Readonly<Record<string, string>>): RegExp =>
  new RegExp(`\\b(?:${Object.keys(words).join('|').replaceAll(' ', '\\s+(?:\\*\\s+)?')})\\b`, 'gi')
const RETIRED = toPattern({ ...retiredWords, ...retiredPhrases })

const toFound = (word: string): string => {
  const plain = word.toLowerCase().replace(/\s+(?:\*\s+)?/g, ' ')
  return `"${plain}": write ${retiredWords[plain] ?? retiredPhrases[plain] ?? retiredInNames[plain]}`
}

/** Retired words and phrases in a name. */
function findInName(name: string): readonly string[] {
  const words = toWords(name)
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  return [
    ...words.filter((word) => Object.hasOwn(retiredWords, word)),
    ...pairs.filter((pair) => Object.hasOwn(retiredPhrases, pair)),
    ...words.slice(0, -1).filter((word) => Object.hasOwn(retiredInNames, word)),
  ]
}

/** The comments of a source file; everything else is blank. */
const toComments = (text: string, { withoutComments }: MaskedSource): string =>
  text.replace(/[^\n]/g, (char, at: number) => (char === withoutComments[at] ? ' ' : char))

/** The title of a test, a group or a step: the first text of `test(…)`, and that of `test.each(…)(…)`. */
const TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

interface Found {
  readonly at: number
  readonly word: string
}

/** Retired words and phrases in the titles of a test file. */
const findInTitles = (file: string, { withoutComments }: MaskedSource): readonly Found[] =>
  isTest(file)
    ? [...withoutComments.matchAll(TITLE)].flatMap(({ index, 0: { length }, 2: title = '' }) =>
        [...title.matchAll(RETIRED)].map((match) => ({
          // The title ends before its quote.
          at: index + length - 1 - title.length + match.index,
          word: match[0],
        })),
      )
    : []

/** Retired words in the comments, the titles of tests, the identifiers and the name of a source file. */
export function checkRetiredWords(file: string, text: string, masked: MaskedSource): readonly Violation[] {
  if (isPlainWordsExempt(file)) return []
  const violation = (line: number, word: string): Violation => ({
    file,
    line,
    rule: 'retired-word',
    found: toFound(word),
  })
  const inComments = [...toComments(text, masked).matchAll(RETIRED)].map((match) =>
    violation(toLine(text, match.index), match[0]),
  )
  const inTitles = findInTitles(file, masked).map(({ at, word }) => violation(toLine(text, at), word))
  const inCode = [...masked.codeOnly.matchAll(IDENTIFIER)].flatMap((match) =>
    findInName(match[0]).map((word) => violation(toLine(text, match.index), word)),
  )
  const fileName = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  const inName = findInName(fileName).map((word) => violation(1, word))
  return [...inName, ...inComments, ...inTitles, ...inCode]
}
