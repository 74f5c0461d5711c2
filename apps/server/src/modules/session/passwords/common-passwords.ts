import { dictionary } from '@zxcvbn-ts/language-common'

/** Passwords that the published list lacks: of this product, of Chinese installations, and of the trade. */
const further: readonly string[] = [
  'isotherm-demo',
  'isotherm',
  'p@ssword',
  'admin@123',
  'admin888',
  'root123',
  'toor',
  'woaini1314',
  // Words of the trade, which people of a heating company try first.
  'heating',
  'balance',
  'gongre',
  'gongnuan',
  'reli',
  'huanrezhan',
  'jizhonggongre',
  'erwang',
  'pingheng',
  '供热',
  '供暖',
  '热力',
  '热力公司',
  '换热站',
  '集中供热',
  '二网平衡',
  '二网平衡系统',
]

/** Rows of keys, and what people type in order. */
const rows: readonly string[] = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  '零一二三四五六七八九十',
]

const MIN_DIFFERENT = 5

let common: ReadonlySet<string> | undefined

function listCommon(): ReadonlySet<string> {
  common ??= new Set(
    [...dictionary['passwords-common'], ...further].map((password) => password.toLowerCase()),
  )
  return common
}

const isSequence = (lower: string): boolean =>
  rows.some((row) => row.includes(lower) || [...row].toReversed().join('').includes(lower))

/**
 * Whether many people would try this password: one of about 50,000 that leaked, also with digits and signs appended; a
 * sequence; or one with fewer than five different characters.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  const word = lower.replace(/[^\p{L}]+$/u, '')
  const list = listCommon()
  return new Set(lower).size < MIN_DIFFERENT || isSequence(lower) || list.has(lower) || list.has(word)
}
