import type { Command, ValveHold } from '@isotherm/contract/command'
import type { Format } from './use-format.ts'

/** The held value: opening of a valve or head of a pump. */
export const toHeldText = (
  { metric }: Pick<Format, 'metric'>,
  { openingPct, headKpa }: Pick<ValveHold, 'openingPct' | 'headKpa'>,
): string => (headKpa === undefined ? metric('valve.opening', openingPct) : metric('pump.target', headKpa))

/** Old and new value of a command: 35 % → 60 %, or 85 kPa → 70 kPa. */
export const toChangeText = (
  { metric }: Pick<Format, 'metric'>,
  { kind, openingPct, previousPct, headKpa, previousKpa }: Command,
): string =>
  kind === 'pump.set'
    ? `${metric('pump.target', previousKpa)} → ${metric('pump.target', headKpa)}`
    : `${metric('valve.opening', previousPct)} → ${metric('valve.opening', openingPct)}`
