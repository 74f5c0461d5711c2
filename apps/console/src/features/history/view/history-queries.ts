import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { getAlarmLog } from '@isotherm/contract/endpoints/monitoring/alarms'
import { getDataBuckets } from '@isotherm/contract/endpoints/monitoring/history'
import { getDataHisFromDevs } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { FilterItem } from '@isotherm/contract/filter'
import type { MetricName } from '@isotherm/contract/metrics'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { addDays } from '../../../shared/format/zone-days.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { ALARM_EVENTS } from '../curves/alarm-marks.ts'
import {
  bucketMs,
  type HistoryLevel,
  type HistoryRange,
  toLevel,
  toRangeText,
  toSpan,
  toYearBefore,
} from '../curves/history-range.ts'
import { type Curve, toCurve, toShifted } from '../curves/history-series.ts'

/** Points of one curve that a screen can show, and of all curves that a browser draws smoothly. */
const CHART_POINTS = 1_200
const ALL_POINTS = 60_000
/** Curves of one chart. */
export const MAX_CURVES = 20
const BUCKET_COLUMNS = ['avg', 'min', 'max'] as const
/** The newest marks of one kind: at most so many are shown in a chart. */
const MAX_MARKS = { page: 1, size: 200 }
const FRESH_MS = 30_000

interface CurveRequest {
  readonly deviceIds: number[]
  readonly metrics: MetricName[]
  readonly from: number
  readonly to: number
}

/** Readings of the devices over a range, downsampled to what a screen can show. */
async function fetchReadings(request: CurveRequest, signal: AbortSignal): Promise<Curve[]> {
  const curves = request.deviceIds.length * request.metrics.length
  const maxPoints = Math.max(100, Math.min(CHART_POINTS, Math.floor(ALL_POINTS / curves)))
  return (await call(getDataHisFromDevs, { ...request, maxPoints }, { signal })).series
}

/** Hourly or daily buckets of the devices over a range, from the bucket in which it begins. */
async function fetchBuckets(
  { from, ...request }: CurveRequest,
  level: Exclude<HistoryLevel, 'raw'>,
  signal: AbortSignal,
): Promise<Curve[]> {
  const input = { ...request, from: from - bucketMs[level], level, columns: [...BUCKET_COLUMNS] }
  const { datalist } = await call(getDataBuckets, input, { signal })
  const names: readonly string[] = request.metrics
  const placeOf = ({ deviceId, metric }: { readonly deviceId: number; readonly metric: string }) =>
    request.deviceIds.indexOf(deviceId) * names.length + names.indexOf(metric)
  return datalist.toSorted((a, b) => placeOf(a) - placeOf(b)).map((series) => toCurve(series, level))
}

const fetchCurves = (request: CurveRequest, level: HistoryLevel, signal: AbortSignal): Promise<Curve[]> =>
  level === 'raw' ? fetchReadings(request, signal) : fetchBuckets(request, level, signal)

export const historyKey = ['history', 'curves'] as const

/** Curves of the devices over a range: readings for a short range, hours or days for a long one. */
export const historyQuery = (
  deviceIds: readonly number[],
  metrics: readonly MetricName[],
  range: HistoryRange,
) =>
  queryOptions({
    queryKey: [...historyKey, 'range', deviceIds, metrics, toRangeText(range)],
    queryFn: ({ signal }) => {
      const { from, to } = toSpan(range, readServerNow())
      return fetchCurves(
        { deviceIds: [...deviceIds], metrics: [...metrics], from, to },
        toLevel(range),
        signal,
      )
    },
    enabled: deviceIds.length > 0,
    staleTime: FRESH_MS,
  })

/** Curves of the same days of the plant one year before, shifted to the range. Daily values are shifted by whole days. */
export const yearBeforeQuery = (
  deviceIds: readonly number[],
  metrics: readonly MetricName[],
  range: HistoryRange,
  timeZone: string,
) =>
  queryOptions({
    queryKey: [...historyKey, 'year before', deviceIds, metrics, toRangeText(range), timeZone],
    queryFn: async ({ signal }) => {
      const span = toSpan(range, readServerNow())
      const { from, to, days } = toYearBefore(span, timeZone)
      const level = toLevel(range)
      const toLater = (ts: number): number =>
        level === 'day' ? addDays(ts, days, timeZone) : ts + span.from - from
      const request = { deviceIds: [...deviceIds], metrics: [...metrics], from, to }
      return (await fetchCurves(request, level, signal)).map((curve) => toShifted(curve, toLater))
    },
    enabled: deviceIds.length > 0,
    staleTime: FRESH_MS,
  })

/** The span to fetch marks for. A range that ends now has no end. */
function toMarkSpan(range: HistoryRange): { readonly from: number; readonly to?: number } {
  const { from, to } = toSpan(range, readServerNow())
  return range.kind === 'fixed' ? { from, to } : { from }
}

/** Commands to the devices during a range, for the marks in the chart. */
export const commandMarksQuery = (deviceIds: readonly number[], range: HistoryRange) =>
  queryOptions({
    queryKey: [...historyKey, 'commands', deviceIds, toRangeText(range)],
    queryFn: ({ signal }) =>
      call(getCtlLog, { deviceIds: [...deviceIds], ...toMarkSpan(range), limiter: MAX_MARKS }, { signal }),
  })

/** Beginnings and ends of alarms of the devices during a range. */
export const alarmMarksQuery = (deviceIds: readonly number[], range: HistoryRange) =>
  queryOptions({
    // Not a key of the alarm queries, because those are refetched at every alarm of the company.
    queryKey: [...historyKey, 'alarms', deviceIds, toRangeText(range)],
    queryFn: ({ signal }) => {
      const filter: FilterItem[] = [
        { field: 'deviceId', cond: 'in', vstd: deviceIds.join(',') },
        { field: 'event', cond: 'in', vstd: ALARM_EVENTS.join(',') },
      ]
      return call(getAlarmLog, { filter, ...toMarkSpan(range), limiter: MAX_MARKS }, { signal })
    },
  })
