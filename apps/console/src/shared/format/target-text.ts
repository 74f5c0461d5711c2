import type { Command, ValveHold } from '@isotherm/contract/command'
import type { Format } from './use-format.ts'

/** The held value: opening of a valve, head of a pump or offset of a heating curve. */
export const toHeldText = (
  { metric }: Pick<Format, 'metric'>,
  { openingPct, headKpa, offsetK }: Pick<ValveHold, 'openingPct' | 'headKpa' | 'offsetK'>,
): string => {
  if (offsetK !== undefined) return metric('supply.offset', offsetK)
  return headKpa === undefined ? metric('valve.opening', openingPct) : metric('pump.target', headKpa)
}

/** Old and new value of a command: 35 % → 60 %, 85 kPa → 70 kPa, or 0 K → -1 K. */
export const toChangeText = (
  { metric }: Pick<Format, 'metric'>,
  { kind, openingPct, previousPct, headKpa, previousKpa, offsetK, previousK }: Command,
): string => {
  if (kind === 'pump.set') return `${metric('pump.target', previousKpa)} → ${metric('pump.target', headKpa)}`
  if (kind === 'supply.set')
    return `${metric('supply.offset', previousK)} → ${metric('supply.offset', offsetK)}`
  return `${metric('valve.opening', previousPct)} → ${metric('valve.opening', openingPct)}`
}
