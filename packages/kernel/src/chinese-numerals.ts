const DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  一: 1,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}

const NUMERAL_RUN = /[零一二三四五六七八九十百]+/g

function toNumber(numeral: string): number {
  let total = 0
  let digit: number | undefined
  for (const sign of numeral) {
    if (sign === '百' || sign === '十') {
      total += (digit ?? 1) * (sign === '百' ? 100 : 10)
      digit = undefined
    } else {
      digit = (digit ?? 0) * 10 + (DIGITS[sign] ?? 0)
    }
  }
  return total + (digit ?? 0)
}

/** `name` with every run of Chinese numerals (一 to 十, 百) written in digits: 二十三号楼 becomes 23号楼. */
export function replaceChineseNumerals(name: string): string {
  return name.replace(NUMERAL_RUN, (run) => String(toNumber(run)))
}

const collator = new Intl.Collator('zh-Hans-CN', { numeric: true })

/** Compares names as specified for sub-users (section 3): Chinese and Arabic numerals count by their value. */
export function compareNames(left: string, right: string): number {
  return (
    collator.compare(replaceChineseNumerals(left), replaceChineseNumerals(right)) ||
    collator.compare(left, right)
  )
}

/** The items sorted by compareNames. Each name is converted only once, not at each comparison. */
export function sortByName<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const named = items.map((item) => {
    const name = nameOf(item)
    return { item, name, digits: replaceChineseNumerals(name) }
  })
  named.sort(
    (left, right) => collator.compare(left.digits, right.digits) || collator.compare(left.name, right.name),
  )
  return named.map(({ item }) => item)
}
