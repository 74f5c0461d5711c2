import { median, weightedMean } from '@isotherm/kernel/statistics'
import { command, liveUntil, reportedPct, type Site } from '../plant/site.ts'
import { nowOf, readSince } from './readings.ts'
import { valveId } from './registry.ts'

/** The loop of the industry: 10 % of opening per kelvin, dead band 0.5 K, at most 10 % at once, every 12 hours. */
const GAIN_PCT_K = 10
const DEAD_BAND_K = 0.5
const MOST_PCT = 10
const PERIOD_S = 12 * 3600
const WINDOW_MS = 2 * 3_600_000
const LEAST_PCT = 10

/** One round: each valve moves by the difference between its own return and the mean of all by area. */
function moveOnce(site: Site): void {
  const readings = readSince(site, nowOf(site) - WINDOW_MS)
  const { buildings } = site.plant.spec
  const returnC = Float64Array.from(
    buildings,
    (_, building) => median(readings(valveId(building), 'temp.return').value) ?? Number.NaN,
  )
  const meanC = weightedMean(
    returnC,
    buildings.map(({ areaM2 }) => areaM2),
  )
  for (const [building, value] of returnC.entries()) {
    const errorK = value - (meanC ?? Number.NaN)
    if (!(Math.abs(errorK) > DEAD_BAND_K)) continue
    const step = Math.min(MOST_PCT, Math.max(-MOST_PCT, -GAIN_PCT_K * errorK))
    const next = Math.round(reportedPct(site, building) + step)
    command(site, building, Math.min(100, Math.max(LEAST_PCT, next)))
  }
}

/** Runs the industry's loop until an instant, s since the start of the plant. */
export function runIndustryLoop(site: Site, untilS: number): void {
  for (let at = site.plant.timeS; at < untilS; at += PERIOD_S) {
    moveOnce(site)
    liveUntil(site, Math.min(untilS, at + PERIOD_S))
  }
}
