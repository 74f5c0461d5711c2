import { median } from '@isotherm/kernel/statistics'
import { stepIndustryLoop, usualTuning } from '../../industry-loop.ts'
import { command, liveUntil, reportedPct, type Site } from '../plant/site.ts'
import { nowOf, readSince } from './readings.ts'
import { valveId } from './registry.ts'

/** Returns are medians of the last two hours. */
const WINDOW_MS = 2 * 3_600_000

function correctOnce(site: Site): void {
  const readings = readSince(site, nowOf(site) - WINDOW_MS)
  const { buildings } = site.plant.spec
  const returnC = Float64Array.from(
    buildings,
    (_, building) => median(readings(valveId(building), 'temp.return').value) ?? Number.NaN,
  )
  const areaM2 = Float64Array.from(buildings, (building) => building.areaM2)
  const present = Float64Array.from(buildings, (_, building) => reportedPct(site, building) / 100)
  const { openings, moved } = stepIndustryLoop({ returnC, areaM2, openings: present }, usualTuning.gain)
  for (const building of moved) command(site, building, Math.round(100 * (openings[building] ?? 0)))
}

/** Runs the industry's loop until an instant, s since the start of the plant. */
export function runIndustryLoop(site: Site, untilS: number): void {
  for (let at = site.plant.timeS; at < untilS; at += usualTuning.periodS) {
    correctOnce(site)
    liveUntil(site, Math.min(untilS, at + usualTuning.periodS))
  }
}
