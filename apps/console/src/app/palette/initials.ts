const collator = new Intl.Collator('zh-Hans-CN-u-co-pinyin')
/** For each letter, the first character in the pinyin sort order. No syllable begins with i, u or v. */
const firstOfLetter = [...'阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀']
const letters = [...'abcdefghjklmnopqrstwxyz']
const HAN = /^\p{Script=Han}$/u

function toInitial(character: string): string {
  if (!HAN.test(character)) return character.toLowerCase()
  const after = firstOfLetter.findIndex((first) => collator.compare(character, first) < 0)
  return letters[after < 0 ? letters.length - 1 : after - 1] ?? character
}

/**
 * Replaces each character by its pinyin initial: 阀门实时 → fmss. Uses the browser's pinyin sort order, so a character with
 * several readings gets the most frequent one. Other characters become lower case.
 */
export const toInitials = (text: string): string => [...text].map(toInitial).join('')
