import type { CountedHeat } from '@isotherm/contract/endpoints/monitoring/meters'
import type { MeasuredFigures } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import {
  type DayRange,
  findAt,
  listMeters,
  type Meters,
  type PlacedMeter,
  sumDegreeDays,
} from '../../meters/index.ts'
import { readAreas } from '../../network/index.ts'
import { type Report, toMeasured } from './report.ts'

export interface HeatNeeds {
  readonly db: Database
  readonly directory: Pick<DeviceDirectory, 'below'>
  readonly meters: Pick<Meters, 'counter' | 'readWeather'>
}

/** Meters that count the heat of a place: its own one, else the highest below it, as on the page of heat. */
function metersOf(meters: readonly PlacedMeter[], path: string): readonly PlacedMeter[] {
  const { own, below } = findAt(meters, path)
  return own ? [own] : below
}

interface Conditions {
  readonly heat: ReadonlyMap<number, CountedHeat>
  readonly degreeDays: number | undefined
}

/** Heat of some meters; an area without all of its meters has no specific heat. */
function toFigures(
  meters: readonly PlacedMeter[],
  areaOf: (meter: PlacedMeter) => number | undefined,
  { heat, degreeDays = Number.NaN }: Conditions,
): MeasuredFigures {
  let [heatKwh, estimatedKwh, areaM2, heatWithArea, measured] = [0, 0, 0, 0, 0]
  for (const meter of meters) {
    const counted = heat.get(meter.id)
    if (counted === undefined) continue
    measured += 1
    heatKwh += counted.heatKwh
    estimatedKwh += counted.estimatedKwh
    const area = areaOf(meter)
    if (area === undefined) continue
    areaM2 += area
    heatWithArea += counted.heatKwh
  }
  const kwhPerM2 = areaM2 > 0 ? heatWithArea / areaM2 : undefined
  return toMeasured(
    {
      ...(measured > 0 ? { heatKwh } : {}),
      kwhPerM2,
      whPerM2Kd: degreeDays > 0 && kwhPerM2 !== undefined ? (1_000 * kwhPerM2) / degreeDays : undefined,
      estimatedShare: heatKwh > 0 ? estimatedKwh / heatKwh : undefined,
      areaM2: areaM2 > 0 ? areaM2 : undefined,
    },
    measured,
    meters.length,
  )
}

/** Heat by registers. */
export function createHeatReport({ db, directory, meters: { counter, readWeather } }: HeatNeeds): Report {
  async function readConditions(
    paths: readonly string[],
    meters: readonly PlacedMeter[],
    range: DayRange,
  ): Promise<Conditions> {
    const [heat, outdoorC] = await Promise.all([
      counter.countAll(
        meters.map(({ id }) => id),
        range,
      ),
      readWeather(paths, range),
    ])
    return { heat, degreeDays: sumDegreeDays(outdoorC, range).degreeDays }
  }
  /** The meters of everything, each with the area of its node. */
  async function readWhole(paths: readonly string[]) {
    const [meters, findArea] = await Promise.all([listMeters(directory, paths), readAreas(db, paths)])
    const whole = [...new Set(paths.flatMap((path) => metersOf(meters, path)))]
    return { meters, whole, areaOf: ({ path }: PlacedMeter) => findArea(path) }
  }
  return {
    async compute({ paths, range }, places) {
      const { meters, whole, areaOf } = await readWhole(paths)
      const groups = places.paths.map((path) => metersOf(meters, path))
      const counted = [...new Set([...whole, ...groups.flat()])]
      const conditions = await readConditions(paths, counted, range)
      return {
        rows: groups.map((group) => toFigures(group, areaOf, conditions)),
        whole: toFigures(whole, areaOf, conditions),
      }
    },
    async computeCourse({ paths }, spans) {
      const { whole, areaOf } = await readWhole(paths)
      const values = []
      for (const span of spans) {
        const { figures, measured, devices } = toFigures(
          whole,
          areaOf,
          await readConditions(paths, whole, span),
        )
        values.push({ value: figures.whPerM2Kd, measured, devices })
      }
      return values
    },
  }
}
