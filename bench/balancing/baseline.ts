import { gainFor, returnSensitivity } from '@isotherm/balancing/proportional/proportional'
import type { LoopRecords } from '@isotherm/balancing/records/loop-records'
import { type IndustryTuning, stepIndustryLoop, usualTuning } from '../industry-loop.ts'
import { readSite } from './read-site.ts'
import { advance, command, type Site } from './site.ts'

export interface Tuning extends IndustryTuning {
  readonly name: string
}

const HOUR_S = 3600
/** Usual authority of unit valves, 0..1, if the open valve is designed for a pressure drop of 5 kPa. */
const USUAL_AUTHORITY = 0.3
const RANGEABILITY = 40
const SHARE = 0.6
const byAuthority = gainFor(
  { authority: USUAL_AUTHORITY, rangeability: RANGEABILITY, sensitivityK: returnSensitivity(9, 22, 1.3) },
  SHARE,
)

export const tunings: readonly Tuning[] = [
  { name: '5 %/K every 24 h', periodS: 24 * HOUR_S, gain: 0.05 },
  { name: '10 %/K every 12 h', ...usualTuning },
  { name: '5 %/K every 6 h', periodS: 6 * HOUR_S, gain: 0.05 },
  { name: 'gain by authority every 6 h', periodS: 6 * HOUR_S, gain: byAuthority },
]

/** Runs the proportional loop for `durationS`, with one correction per period. The pump does not change. */
export function runBaseline(
  site: Site,
  { areaM2 }: LoopRecords,
  { periodS, gain }: Tuning,
  durationS: number,
): void {
  for (let past = 0; past < durationS; past += periodS) {
    const { returnC } = readSite(site, 2 * HOUR_S)
    const present = Float64Array.from(site.actuators, ({ position }) => position)
    const { openings, moved } = stepIndustryLoop({ returnC, areaM2, openings: present }, gain)
    for (const unit of moved) command(site, unit, openings[unit] ?? 0)
    advance(site, periodS)
  }
}
