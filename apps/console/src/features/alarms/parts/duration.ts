const units = [
  ['days', 86_400],
  ['hoursLong', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const

export interface DurationPart {
  readonly unit: (typeof units)[number][0]
  readonly count: number
}

/** A duration in seconds as its two largest non-zero units; zero is 0 s. */
export function toDurationParts(seconds: number): readonly DurationPart[] {
  const parts: DurationPart[] = []
  let left = Math.round(seconds)
  for (const [unit, length] of units) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0) parts.push({ unit, count })
  }
  return parts.length > 0 ? parts.slice(0, 2) : [{ unit: 'seconds', count: 0 }]
}
