import { weightedDeviation } from '@isotherm/kernel/statistics'
import type { Site, TrueState } from './site.ts'

/** Mean of a true value of each unit between two instants. */
function meanOf(site: Site, fromS: number, untilS: number, read: (truth: TrueState) => Float64Array) {
  const among = site.trueStates.filter(({ atS }) => atS > fromS && atS <= untilS)
  const mean = new Float64Array(site.units.length)
  for (const truth of among) {
    const values = read(truth)
    for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (values[i] ?? 0) / among.length
  }
  return mean
}

const HOUR_S = 3600

/** Standard deviation of the true return temperatures (minus each unit's offset) in the last hour, K; selected units only. */
export function measureSpread(
  site: Site,
  offsetK: Float64Array,
  counts: (unit: number) => boolean = () => true,
): number {
  const now = site.plant.simTimeS
  const means = meanOf(site, now - HOUR_S, now, ({ returnC }) => returnC)
  const errors = means.map((value, unit) => value - (offsetK[unit] ?? 0))
  return weightedDeviation(errors.filter((_, unit) => counts(unit))) ?? Number.NaN
}

/** Mean pump power and flow over the last hour. */
export function measurePump(site: Site): { readonly powerW: number; readonly flowKgS: number } {
  const now = site.plant.simTimeS
  const among = site.trueStates.filter(({ atS }) => atS > now - HOUR_S)
  const mean = (read: (truth: TrueState) => number) =>
    among.reduce((sum, truth) => sum + read(truth), 0) / Math.max(1, among.length)
  return { powerW: mean((truth) => truth.pumpW), flowKgS: mean((truth) => truth.totalKgS) }
}

/** Mean room temperature of each unit, weighted by area, °C. */
export function unitRooms({ station, spec }: Site): Float64Array {
  return Float64Array.from(spec.units, ({ households }, unit) => {
    const first = station.firstFlat[unit] ?? 0
    const area = households.reduce((sum, flat) => sum + flat.areaM2, 0)
    return households.reduce(
      (sum, flat, index) => sum + (flat.areaM2 / area) * (station.households.airC[first + index] ?? 0),
      0,
    )
  })
}

/** Share of flats below 18 °C, 0..1. */
export const shareBelow18 = ({ station }: Site): number =>
  station.households.airC.filter((room) => room < 18).length / station.households.count

/** Mean number of moves per valve. */
export const movesPerValve = ({ actuators }: Site): number =>
  actuators.reduce((sum, { moves }) => sum + moves, 0) / actuators.length
