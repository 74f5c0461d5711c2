import { gainFor, returnSensitivity, stepProportional } from '@isotherm/balancing/proportional/proportional'
import type { LoopRecords } from '@isotherm/balancing/records/loop-records'
import { readSite } from './read-site.ts'
import { advance, command, type Site } from './site.ts'

/** Tuning of the proportional control loop that is common in the industry. */
export interface Tuning {
  readonly name: string
  readonly periodS: number
  /** Opening (0..1) per kelvin of deviation, or computed from the usual authority of the valves. */
  readonly gain: number | 'by-authority'
}

const HOUR_S = 3600

export const tunings: readonly Tuning[] = [
  { name: '5 %/K every 24 h', periodS: 24 * HOUR_S, gain: 0.05 },
  { name: '10 %/K every 12 h', periodS: 12 * HOUR_S, gain: 0.1 },
  { name: '5 %/K every 6 h', periodS: 6 * HOUR_S, gain: 0.05 },
  { name: 'gain by authority every 6 h', periodS: 6 * HOUR_S, gain: 'by-authority' },
]

/** Usual authority of unit valves, 0..1, if the open valve is designed for a pressure drop of 5 kPa. */
const USUAL_AUTHORITY = 0.3
const RANGEABILITY = 40
const DEAD_BAND_K = 0.5
const SHARE = 0.6

/** Runs the proportional loop for `durationS`, with one correction per period. The pump does not change. */
export function runBaseline(
  site: Site,
  { areaM2 }: LoopRecords,
  { periodS, gain }: Tuning,
  durationS: number,
): void {
  const count = site.units.length
  const sensitivityK = returnSensitivity(9, 22, 1.3)
  const scheduled = gainFor({ authority: USUAL_AUTHORITY, rangeability: RANGEABILITY, sensitivityK }, SHARE)
  for (let past = 0; past < durationS; past += periodS) {
    const { returnC } = readSite(site, 2 * HOUR_S)
    const { openings, moved } = stepProportional({
      returnC,
      areaM2,
      offsetK: new Float64Array(count),
      deadBandK: DEAD_BAND_K,
      maxStep: 0.1,
      gain: new Float64Array(count).fill(gain === 'by-authority' ? scheduled : gain),
      openings: Float64Array.from(site.actuators, ({ position }) => position),
      minOpening: 0.1,
      step: 0.01,
    })
    for (const unit of moved) command(site, unit, openings[unit] ?? 0)
    advance(site, periodS)
  }
}
