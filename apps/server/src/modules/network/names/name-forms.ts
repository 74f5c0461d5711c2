import { replaceChineseNumerals } from '@isotherm/kernel/chinese-numerals'
import { pinyin } from 'pinyin-pro'

/**
 * Version of the forms below, stored with each name (tree-names.pg.ts). Increase it whenever toNameForms returns
 * something else for the same name: after a change here, in replaceChineseNumerals or in pinyin-pro's dictionary.
 */
export const FORMS_VERSION = 1

/** The forms of a name that a search compares with. */
export interface NameForms {
  /** As written, with width and case normalized: Ａ座 is a座. */
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

/** Returns the search forms of a name. A character with several readings gets the one it has in its word. */
export function toNameForms(name: string): NameForms {
  const plain = toPlain(name)
  const folded = replaceChineseNumerals(plain)
  const parts = HAS_HAN.test(folded)
    ? pinyin(folded, { toneType: 'none', type: 'all', v: true }).map(({ isZh, pinyin: syllable, origin }) =>
        isZh ? { whole: syllable, initial: syllable.slice(0, 1) } : { whole: origin, initial: origin },
      )
    : [{ whole: folded, initial: folded }]
  const join = (texts: readonly string[]): string => texts.join('').replace(NEITHER_LETTER_NOR_DIGIT, '')
  return {
    plain,
    folded,
    pinyin: join(parts.map(({ whole }) => whole)),
    initials: join(parts.map(({ initial }) => initial)),
  }
}
