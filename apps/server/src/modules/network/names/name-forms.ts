import { replaceChineseNumerals } from '@isotherm/kernel/chinese-numerals'
import { pinyin } from 'pinyin-pro'

/**
 * Version of the forms below. They are stored with the names (tree-names.pg.ts): whatever makes foldName answer
 * otherwise, here, in replaceChineseNumerals or in the dictionary of pinyin-pro, needs the next number.
 */
export const FORMS_VERSION = 1

/** The forms of a name that a search looks at. */
export interface FoldedName {
  /** As written, but for width and case: Ａ座 is a座. */
  readonly plain: string
  /** `plain` with Chinese numerals as digits: 三号楼 is 3号楼. */
  readonly folded: string
  /** Letters and digits of the whole name without tones, ü as v: heyuanrelijituan, 3haolou. */
  readonly pinyin: string
  /** First letter of each syllable, digits whole: hyrljt, 3hl. */
  readonly initials: string
}

/** `text` without differences of width and case. */
export const toPlain = (text: string): string => text.normalize('NFKC').toLowerCase()

const NEITHER_LETTER_NOR_DIGIT = /[^a-z0-9]+/g
const HAS_HAN = /\p{Script=Han}/u

/** The forms of a name by which it can be found; a reading that depends on the word is the word's. */
export function foldName(name: string): FoldedName {
  const plain = toPlain(name)
  const folded = replaceChineseNumerals(plain)
  const signs = HAS_HAN.test(folded)
    ? pinyin(folded, { toneType: 'none', type: 'all', v: true }).map(({ isZh, pinyin: syllable, origin }) =>
        isZh ? { whole: syllable, initial: syllable.slice(0, 1) } : { whole: origin, initial: origin },
      )
    : [{ whole: folded, initial: folded }]
  const join = (parts: readonly string[]): string => parts.join('').replace(NEITHER_LETTER_NOR_DIGIT, '')
  return {
    plain,
    folded,
    pinyin: join(signs.map(({ whole }) => whole)),
    initials: join(signs.map(({ initial }) => initial)),
  }
}
