import { computeReturnIndices } from '@isotherm/balancing/indices/indices'
import type { MeasuredFigures } from '@isotherm/contract/endpoints/monitoring/statistics'
import { weightedMean } from '@isotherm/kernel/statistics'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type Consumer, listConsumers } from '../../balancing/index.ts'
import type { DayRange } from '../../meters/index.ts'
import { readAreas } from '../../network/index.ts'
import { readMeans, type SpanMeans } from '../store/day-sums.ch.ts'
import { groupByPlace, type Report, toMeasured } from './report.ts'

/** A valve counts if it has trusted readings on this share of the days: others were measured in other weather. */
const ENOUGH_DAYS = 0.5

/** Mean returns of the valves that have readings on enough days of a span. */
function toReturns({ devices, means, days }: SpanMeans, { from, to }: DayRange): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  devices.forEach((device, index) => {
    const mean = means[index]
    if (mean !== undefined && (days[index] ?? 0) >= ENOUGH_DAYS * (to - from)) found.set(device, mean)
  })
  return found
}

/** Indices of the returns of some consumers. */
function toFigures(consumers: readonly Consumer[], returns: ReadonlyMap<number, number>): MeasuredFigures {
  const measured = consumers.filter(({ deviceId }) => returns.has(deviceId))
  const areaM2 = Float64Array.from(measured, (each) => each.areaM2)
  const returnC = Float64Array.from(measured, ({ deviceId }) => returns.get(deviceId) ?? Number.NaN)
  const targetReturnC = Float64Array.from(measured, ({ offsetK }) => offsetK)
  // One valve has no spread.
  const indices = measured.length < 2 ? undefined : computeReturnIndices({ areaM2, returnC, targetReturnC })
  return toMeasured(
    {
      sigmaReturnK: indices?.sigmaReturnK,
      spreadReturnK: indices?.spreadReturnK,
      withinOneK: indices?.withinOneK,
      meanReturnC: weightedMean(returnC, areaM2),
    },
    measured.length,
    consumers.length,
  )
}

/** Balance by the mean return temperatures of valves. */
export function createBalanceReport(db: Database, clickhouse: ClickHouseClient): Report {
  const list = async (paths: readonly string[]) => listConsumers(db, paths, await readAreas(db, paths))
  const read = (consumers: readonly Consumer[], spans: readonly DayRange[]) =>
    readMeans(
      clickhouse,
      'temp.return',
      consumers.map(({ deviceId }) => deviceId),
      spans,
    )
  return {
    async compute({ paths, range }, places) {
      const consumers = await list(paths)
      let returns: ReadonlyMap<number, number> = new Map()
      for await (const span of read(consumers, [range])) returns = toReturns(span, range)
      return {
        rows: groupByPlace(consumers, places).map((group) => toFigures(group, returns)),
        whole: toFigures(consumers, returns),
      }
    },
    async computeCourse({ paths }, spans) {
      const consumers = await list(paths)
      const found = new Map<number, MeasuredFigures>()
      for await (const span of read(consumers, spans)) {
        const days = spans.find(({ from }) => from === span.from)
        if (days) found.set(span.from, toFigures(consumers, toReturns(span, days)))
      }
      return spans.map(({ from }) => {
        const each = found.get(from)
        return { value: each?.figures.sigmaReturnK, measured: each?.measured ?? 0, devices: consumers.length }
      })
    },
  }
}
