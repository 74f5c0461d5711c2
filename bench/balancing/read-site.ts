import type { LoopReadings } from '@isotherm/balancing/records/loop-records'
import {
  findFrozen,
  ROOM_LIMITS,
  readWindow,
  type SensorLimits,
  WATER_LIMITS,
} from '@isotherm/balancing/rooms/sensor-window'
import { mean, median } from '@isotherm/kernel/statistics'
import type { Reading, Site } from './site.ts'

export const filled = (count: number, value: number): Float64Array => new Float64Array(count).fill(value)

const MIN_READINGS = 4

/** Readings of the last `windowS` of a site. Temperatures of water and outdoor air are means over the window. */
export function readSite(site: Site, windowS: number): LoopReadings {
  const untilS = site.plant.simTimeS
  const window = { fromS: untilS - windowS, untilS, minReadings: MIN_READINGS }
  const among = site.readings.filter(({ atS }) => atS > window.fromS)
  const atS = among.map((reading) => reading.atS)
  const ofUnits = (read: (reading: Reading) => Float64Array, limits: SensorLimits): Float64Array => {
    const series = site.units.map((_, unit) => among.map((reading) => read(reading)[unit] ?? Number.NaN))
    const values = series.map((value) => readWindow({ atS, value }, limits, window))
    const frozen = findFrozen(
      values.map(({ range }) => range),
      limits.step,
    )
    return Float64Array.from(values, ({ verdict }, unit) =>
      verdict === 'good' && !frozen.includes(unit) ? mean(series[unit] ?? []) : Number.NaN,
    )
  }
  const ofStation = (read: (reading: Reading) => number): number => mean(among.map(read))
  return {
    supplyC: ofUnits(({ supplyC }) => supplyC, WATER_LIMITS),
    returnC: ofUnits(({ returnC }) => returnC, WATER_LIMITS),
    meterKgS: Float64Array.from(
      site.units,
      (_, unit) => median(among.map(({ flowKgS }) => flowKgS[unit] ?? Number.NaN)) ?? Number.NaN,
    ),
    roomC: ofUnits(({ roomC }) => roomC, ROOM_LIMITS),
    outdoorC: ofStation(({ outdoorC }) => outdoorC),
    headPa: ofStation(({ headPa }) => headPa),
    totalKgS: ofStation(({ totalKgS }) => totalKgS),
  }
}
