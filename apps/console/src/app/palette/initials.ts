const collator = new Intl.Collator('zh-Hans-CN-u-co-pinyin')
/** The first character of each letter in the order of pinyin; no syllable begins with i, u or v. */
const firstOfLetter = [...'阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀']
const letters = [...'abcdefghjklmnopqrstwxyz']
const HAN = /^\p{Script=Han}$/u

function toInitial(character: string): string {
  if (!HAN.test(character)) return character.toLowerCase()
  const after = firstOfLetter.findIndex((first) => collator.compare(character, first) < 0)
  return letters[after < 0 ? letters.length - 1 : after - 1] ?? character
}

/**
 * Each character's pinyin initial, one for one: 阀门实时 → fmss. Read from the browser's own order of pinyin, so
 * a character with several readings gets its most frequent one. Others stay, in lower case.
 */
export const toInitials = (text: string): string => [...text].map(toInitial).join('')
