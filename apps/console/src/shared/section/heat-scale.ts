/** Ends of the colours of a heat map: values beyond them look like them. */
export interface HeatScale {
  readonly low: number
  readonly high: number
}

/** Outliers do not stretch the colours: this share lies beyond each end. */
const TAIL = 0.02

/** A scale for some values; undefined when there is none. */
export function toScale(values: readonly number[]): HeatScale | undefined {
  const ascending = values.toSorted((a, b) => a - b)
  const last = ascending.length - 1
  const low = ascending[Math.floor(last * TAIL)]
  const high = ascending[Math.ceil(last * (1 - TAIL))]
  return low === undefined || high === undefined ? undefined : { low, high }
}

/** Where a value lies between the ends: 0 to 1; the middle where all values are the same. */
export function toShare(value: number, { low, high }: HeatScale): number {
  if (high <= low) return 0.5
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}

/** How strong the colour at an end is, %: figures on it stay readable in light and dark. */
const STRONGEST_PCT = 45

const mix = (ink: '--return' | '--supply' | '--accent', pct: number): string =>
  `color-mix(in srgb, var(${ink}) ${Math.round(pct)}%, var(--surface-2))`

/** The colour of a share of something warm or cold: from that of return water over none to that of supply water. */
export const toFill = (share: number, strongestPct = STRONGEST_PCT): string =>
  share < 0.5
    ? mix('--return', (1 - 2 * share) * strongestPct)
    : mix('--supply', (2 * share - 1) * strongestPct)

/** The colour of a share of something there is little or much of: from none to the accent. */
export const toAmountFill = (share: number, strongestPct = STRONGEST_PCT): string =>
  mix('--accent', share * strongestPct)

/** A bar of the colours from one end to the other. */
export const toRamp = (fill: (share: number) => string): string =>
  `linear-gradient(to right, ${[0, 0.5, 1].map(fill).join(', ')})`
