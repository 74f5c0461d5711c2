import type { Command, ValveHold } from '@isotherm/contract/command'
import type { Format } from './use-format.ts'

/** What a hold keeps: an opening of a valve or a head of a pump. */
export const toHeldText = (
  { metric }: Pick<Format, 'metric'>,
  { openingPct, headKpa }: Pick<ValveHold, 'openingPct' | 'headKpa'>,
): string => (headKpa === undefined ? metric('valve.opening', openingPct) : metric('pump.target', headKpa))

/** From where to where a command asks its device to go: 35 % → 60 %, or 85 kPa → 70 kPa. */
export const toChangeText = (
  { metric }: Pick<Format, 'metric'>,
  { kind, openingPct, previousPct, headKpa, previousKpa }: Command,
): string =>
  kind === 'pump.set'
    ? `${metric('pump.target', previousKpa)} → ${metric('pump.target', headKpa)}`
    : `${metric('valve.opening', previousPct)} → ${metric('valve.opening', openingPct)}`
