/** Range of a colour scale. Values outside get the colour of the nearer end. */
export interface HeatScale {
  readonly low: number
  readonly high: number
}

/** Share of values outside each end of the scale, so that outliers do not stretch it. */
const TAIL = 0.02

/** Scale for some values; undefined without values. */
export function toScale(values: readonly number[]): HeatScale | undefined {
  const ascending = values.toSorted((a, b) => a - b)
  const last = ascending.length - 1
  const low = ascending[Math.floor(last * TAIL)]
  const high = ascending[Math.ceil(last * (1 - TAIL))]
  return low === undefined || high === undefined ? undefined : { low, high }
}

/** Position of a value on the scale, 0 to 1; 0.5 if all values are equal. */
export function toShare(value: number, { low, high }: HeatScale): number {
  if (high <= low) return 0.5
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}

/** Strength of the colour at an end, %. Text on it stays readable in light and dark. */
const STRONGEST_PCT = 45

const tint = (colour: 'return' | 'supply' | 'accent', pct: number): string =>
  `rgba(var(--${colour}-rgb), ${Math.round(pct) / 100})`

/** Colour for temperatures: 0 is the colour of return water, 0.5 no colour, 1 the colour of supply water. */
export const toFill = (share: number, strongestPct = STRONGEST_PCT): string =>
  share < 0.5
    ? tint('return', (1 - 2 * share) * strongestPct)
    : tint('supply', (2 * share - 1) * strongestPct)

/** Colour for amounts: 0 is no colour, 1 the accent colour. */
export const toAmountFill = (share: number, strongestPct = STRONGEST_PCT): string =>
  tint('accent', share * strongestPct)

/** CSS gradient of the scale. */
export const toRamp = (fill: (share: number) => string): string =>
  `linear-gradient(to right, ${[0, 0.5, 1].map(fill).join(', ')})`
