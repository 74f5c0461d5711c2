import type { DeviceKind } from '@isotherm/contract/devices'
import type { MeasuredFigures } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { MetricName } from '@isotherm/contract/metrics'
import type { FigureName } from '@isotherm/contract/statistics/reports'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import { listWatering } from '../../irrigation/index.ts'
import type { DayRange } from '../../meters/index.ts'
import { type FindArea, readAreas } from '../../network/index.ts'
import { type DayValues, readDaySums, readDayTotals } from '../store/day-sums.ch.ts'
import { type CourseValue, groupByPlace, type Report, toMeasured } from './report.ts'

export interface SummedNeeds {
  readonly db: Database
  readonly directory: Pick<DeviceDirectory, 'below'>
  readonly clickhouse: ClickHouseClient
}

/** Sums of one device over its days, by name. */
export type DeviceSums<Name extends string> = Readonly<Record<Name, number>> & {
  /** Path of its node. */
  readonly path: string
}

/** A report about one metric of one kind of device, whose figures follow from sums over the days of each device. */
export interface SummedDefinition<Name extends string> {
  readonly kind: DeviceKind
  readonly metric: MetricName
  readonly main: FigureName
  /** Values of a day that are summed. */
  readonly sums: DayValues<Name>
  /** Figures of devices with readings. */
  readonly toFigures: (
    devices: readonly DeviceSums<Name>[],
    findArea: FindArea,
  ) => Partial<Record<FigureName, number | undefined>>
  /** The main figure from totals over all devices; missing if it needs the area of each. */
  readonly course?: Course<NoInfer<Name>>
}

/** How the main figure follows from one total over devices. */
interface Course<Name extends string> {
  /** Names of the sums that it needs. */
  readonly sums: readonly Name[]
  /** SQL aggregate of these sums over devices: the main figure. */
  readonly total: string
}

type Device = Pick<DirectoryEntry, 'id' | 'path'>

export function createSummedReport<Name extends string>(
  { db, directory, clickhouse }: SummedNeeds,
  { kind, metric, main, sums, toFigures, course }: SummedDefinition<Name>,
): Report {
  /** Devices of one kind at and below paths, without those of irrigation, which have no part in heating. */
  async function listDevices(paths: readonly string[]): Promise<readonly Device[]> {
    const watering = await listWatering(db)
    const found: Device[] = []
    for (const { id, kind: own, path } of directory.below(paths))
      if (own === kind && !watering.has(id)) found.push({ id, path })
    return found
  }

  /** Sums by device for each span, by the first day of the span. */
  async function readSums(devices: readonly Device[], spans: readonly DayRange[]) {
    const found = new Map<number, Map<number, DeviceSums<Name>>>()
    const paths = new Map(devices.map(({ id, path }) => [id, path.slice(0, path.lastIndexOf('d'))]))
    const query = { metric, deviceIds: devices.map(({ id }) => id), spans }
    const names = Object.keys(sums) as Name[]
    for await (const { from, devices: ids, lists } of readDaySums(clickhouse, query, sums)) {
      const byDevice = new Map<number, DeviceSums<Name>>()
      ids.forEach((id, index) => {
        const values = Object.fromEntries(names.map((name) => [name, lists[name][index] ?? Number.NaN]))
        byDevice.set(id, { ...(values as Record<Name, number>), path: paths.get(id) ?? '' })
      })
      found.set(from, byDevice)
    }
    return found
  }

  function measure(
    devices: readonly Device[],
    found: ReadonlyMap<number, DeviceSums<Name>> | undefined,
    findArea: FindArea,
  ): MeasuredFigures {
    const measured = devices.flatMap(({ id }) => found?.get(id) ?? [])
    const figures = measured.length === 0 ? {} : toFigures(measured, findArea)
    return toMeasured(figures, measured.length, devices.length)
  }

  async function readCourse(
    { sums: needed, total }: Course<Name>,
    devices: readonly Device[],
    spans: readonly DayRange[],
  ): Promise<readonly CourseValue[]> {
    const values: DayValues<string> = Object.fromEntries(needed.map((name) => [name, sums[name]]))
    const days = { metric, deviceIds: devices.map(({ id }) => id), spans, values, totals: { value: total } }
    const found = new Map<number, CourseValue>()
    for await (const { from, devices: measured, totals } of readDayTotals(clickhouse, days))
      found.set(from, { value: totals.value, measured, devices: devices.length })
    return spans.map(
      ({ from }) => found.get(from) ?? { value: undefined, measured: 0, devices: devices.length },
    )
  }

  return {
    async compute({ paths, range }, places) {
      const devices = await listDevices(paths)
      const [found, findArea] = await Promise.all([readSums(devices, [range]), readAreas(db, paths)])
      const all = found.get(range.from)
      return {
        rows: groupByPlace(devices, places).map((group) => measure(group, all, findArea)),
        whole: measure(devices, all, findArea),
      }
    },
    async computeCourse({ paths }, spans) {
      const devices = await listDevices(paths)
      if (course) return readCourse(course, devices, spans)
      const [found, findArea] = await Promise.all([readSums(devices, spans), readAreas(db, paths)])
      return spans.map(({ from }) => {
        const each = measure(devices, found.get(from), findArea)
        return { value: each.figures[main], measured: each.measured, devices: each.devices }
      })
    },
  }
}
