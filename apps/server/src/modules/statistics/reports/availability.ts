import type { DeviceKind } from '@isotherm/contract/devices'
import type { MeasuredFigures } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { MetricName } from '@isotherm/contract/metrics'
import type { FigureName } from '@isotherm/contract/statistics/reports'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { TimeZone } from '../../../platform/time-zone.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import type { DayRange } from '../../meters/index.ts'
import { readDaySums, readDayTotals } from '../store/day-sums.ch.ts'
import { groupByPlace, type Report, toMeasured } from './report.ts'

/** Kinds of device that report by themselves, with the metric that every report of them has. */
const kinds = {
  valve: { metric: 'valve.opening', figure: 'valveShare' },
  'heat-meter': { metric: 'heat.energy', figure: 'meterShare' },
  'room-sensor': { metric: 'temp.room', figure: 'roomShare' },
  station: { metric: 'temp.supply', figure: 'stationShare' },
} as const satisfies Partial<Record<DeviceKind, { metric: MetricName; figure: FigureName }>>
type ReportingKind = keyof typeof kinds

const isReporting = (kind: DeviceKind): kind is ReportingKind => Object.hasOwn(kinds, kind)
const kindNames = Object.keys(kinds).filter((kind): kind is ReportingKind => isReporting(kind as DeviceKind))

export interface AvailabilityNeeds {
  readonly directory: Pick<DeviceDirectory, 'below'>
  readonly clickhouse: ClickHouseClient
  readonly zone: Pick<TimeZone, 'toInstant'>
}

interface Device extends Pick<DirectoryEntry, 'id' | 'path' | 'periodS'> {
  readonly kind: ReportingKind
}

interface Tally {
  hours: number
  expected: number
}

/** Hours of the device that could have a reading: a device that reports every six hours has one in six. */
const expectedOf = ({ periodS }: Device, hours: number): number =>
  hours * Math.min(1, HOUR_MS / 1_000 / periodS)

/** Devices of one kind with the same expected hours. */
const groupByExpected = (devices: readonly Device[]) =>
  Map.groupBy(
    devices,
    ({ kind, periodS }) => `${kind} ${Math.max(periodS, HOUR_MS / 1_000)}`,
  ).values() as MapIterator<[Device, ...Device[]]>

const toShare = ({ hours, expected }: Tally): number | undefined =>
  expected > 0 ? hours / expected : undefined

/** Share of the hours with a reading. */
function toFigures(
  devices: readonly Device[],
  seen: ReadonlyMap<number, number>,
  hours: number,
): MeasuredFigures {
  const all: Tally = { hours: 0, expected: 0 }
  const byKind = new Map<ReportingKind, Tally>()
  let silentDevices = 0
  for (const device of devices) {
    const expected = expectedOf(device, hours)
    const reported = Math.min(expected, seen.get(device.id) ?? 0)
    if (reported === 0) silentDevices += 1
    const own = byKind.get(device.kind) ?? { hours: 0, expected: 0 }
    byKind.set(device.kind, own)
    for (const tally of [all, own]) {
      tally.hours += reported
      tally.expected += expected
    }
  }
  const ofKinds = [...byKind].map(([kind, tally]) => [kinds[kind].figure, toShare(tally)] as const)
  return toMeasured(
    {
      reportedShare: toShare(all),
      ...Object.fromEntries(ofKinds),
      ...(devices.length > 0 ? { silentDevices } : {}),
    },
    devices.length - silentDevices,
    devices.length,
  )
}

/** How much of the time devices reported. */
export function createAvailabilityReport({ directory, clickhouse, zone }: AvailabilityNeeds): Report {
  function listDevices(paths: readonly string[]): readonly Device[] {
    const found: Device[] = []
    for (const { id, kind, path, periodS } of directory.below(paths))
      if (isReporting(kind)) found.push({ id, kind, path, periodS })
    return found
  }
  const countHours = ({ from, to }: DayRange): number =>
    (zone.toInstant(to * DAY_MS) - zone.toInstant(from * DAY_MS)) / HOUR_MS

  /** Hours with a reading by device. */
  async function readSeen(devices: readonly Device[], range: DayRange) {
    const seen = new Map<number, number>()
    for (const kind of kindNames) {
      const deviceIds = devices.flatMap((device) => (device.kind === kind ? [device.id] : []))
      const { metric } = kinds[kind]
      const days = { metric, deviceIds, spans: [range], includesUntrusted: true }
      for await (const span of readDaySums(clickhouse, days, { hours: 'hours' }))
        for (const [index, device] of span.devices.entries()) seen.set(device, span.lists.hours[index] ?? 0)
    }
    return seen
  }

  return {
    async compute({ paths, range }, places) {
      const devices = listDevices(paths)
      const seen = await readSeen(devices, range)
      const hours = countHours(range)
      return {
        rows: groupByPlace(devices, places).map((group) => toFigures(group, seen, hours)),
        whole: toFigures(devices, seen, hours),
      }
    },
    async computeCourse({ paths }, spans) {
      const devices = listDevices(paths)
      const hours = spans.map(countHours)
      const courses = spans.map(() => ({ hours: 0, expected: 0, measured: 0 }))
      const indexAt = new Map(spans.map(({ from }, index) => [from, index]))
      for (const alike of groupByExpected(devices)) {
        const [first] = alike
        const given = hours.map((each) => expectedOf(first, each))
        courses.forEach((course, index) => {
          course.expected += (given[index] ?? 0) * alike.length
        })
        const totals = readDayTotals(clickhouse, {
          metric: kinds[first.kind].metric,
          deviceIds: alike.map(({ id }) => id),
          spans,
          includesUntrusted: true,
          values: { hours: 'hours' },
          given,
          totals: { hours: 'sum(least(toFloat64(hours), given))' },
        })
        for await (const found of totals) {
          const course = courses[indexAt.get(found.from) ?? -1]
          if (!course) continue
          course.hours += found.totals.hours
          course.measured += found.devices
        }
      }
      return courses.map((course) => ({
        value: toShare(course),
        measured: course.measured,
        devices: devices.length,
      }))
    },
  }
}
