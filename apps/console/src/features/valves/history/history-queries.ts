import { getAlarmLog } from '@isotherm/contract/endpoints/alarms'
import { getCtlLog } from '@isotherm/contract/endpoints/commands'
import { getDataBuckets } from '@isotherm/contract/endpoints/history'
import { getDataHisFromDevs } from '@isotherm/contract/endpoints/telemetry'
import type { FilterItem } from '@isotherm/contract/filter'
import type { MetricName } from '@isotherm/contract/metrics'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { commandKeys } from '../commands/command-keys.ts'
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
import { type Curve, toCurve, toLater } from '../curves/history-series.ts'

/** Points of one curve that a screen can show. */
const CHART_POINTS = 1_200
const BUCKET_COLUMNS = ['avg', 'min', 'max'] as const
/** Marks of one kind that a chart shows, the newest of them. */
const MOST_MARKS = { page: 1, size: 200 }
const FRESH_MS = 30_000

interface CurvesAsked {
  readonly deviceIds: number[]
  readonly metrics: MetricName[]
  readonly from: number
  readonly to: number
}

/** Readings of the devices over a range, thinned to what a screen can show. */
async function fetchReadings(asked: CurvesAsked, signal: AbortSignal): Promise<Curve[]> {
  return (await call(getDataHisFromDevs, { ...asked, maxPoints: CHART_POINTS }, { signal })).series
}

/** Hours or days of the devices over a range, from the bucket on in which it begins. */
async function fetchBuckets(
  { from, ...asked }: CurvesAsked,
  level: Exclude<HistoryLevel, 'raw'>,
  signal: AbortSignal,
): Promise<Curve[]> {
  const input = { ...asked, from: from - bucketMs[level], level, columns: [...BUCKET_COLUMNS] }
  const { datalist } = await call(getDataBuckets, input, { signal })
  const names: readonly string[] = asked.metrics
  const placeOf = ({ deviceId, metric }: { readonly deviceId: number; readonly metric: string }) =>
    asked.deviceIds.indexOf(deviceId) * names.length + names.indexOf(metric)
  return datalist.toSorted((a, b) => placeOf(a) - placeOf(b)).map((series) => toCurve(series, level))
}

const fetchCurves = (asked: CurvesAsked, level: HistoryLevel, signal: AbortSignal): Promise<Curve[]> =>
  level === 'raw' ? fetchReadings(asked, signal) : fetchBuckets(asked, level, signal)

export const historyKey = ['valves', 'history'] as const

/** Curves of the devices over a range: readings of a short one, hours or days of a long one. */
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

/** Curves of the same days a year before, in the place of those of the range. */
export const yearBeforeQuery = (
  deviceIds: readonly number[],
  metrics: readonly MetricName[],
  range: HistoryRange,
) =>
  queryOptions({
    queryKey: [...historyKey, 'year before', deviceIds, metrics, toRangeText(range)],
    queryFn: async ({ signal }) => {
      const { from, to, laterMs } = toYearBefore(toSpan(range, readServerNow()))
      const asked = { deviceIds: [...deviceIds], metrics: [...metrics], from, to }
      return (await fetchCurves(asked, toLevel(range), signal)).map((curve) => toLater(curve, laterMs))
    },
    enabled: deviceIds.length > 0,
    staleTime: FRESH_MS,
  })

/** Beginning and end of a range to ask for marks of; one that follows now has no end. */
function toAskedSpan(range: HistoryRange): { readonly from: number; readonly to?: number } {
  const { from, to } = toSpan(range, readServerNow())
  return range.kind === 'fixed' ? { from, to } : { from }
}

/** Commands given to the devices during a range, for the marks on their curves. */
export const commandMarksQuery = (deviceIds: readonly number[], range: HistoryRange) =>
  queryOptions({
    queryKey: [...commandKeys.logs, 'marks', deviceIds, toRangeText(range)],
    queryFn: ({ signal }) =>
      call(getCtlLog, { deviceIds: [...deviceIds], ...toAskedSpan(range), limiter: MOST_MARKS }, { signal }),
    enabled: deviceIds.length > 0,
  })

/** What alarms of the devices began and ended during a range. */
export const alarmMarksQuery = (deviceIds: readonly number[], range: HistoryRange) =>
  queryOptions({
    // Not among those of alarms, which are asked for again at every alarm of the company.
    queryKey: [...historyKey, 'alarms', deviceIds, toRangeText(range)],
    queryFn: ({ signal }) => {
      const filter: FilterItem[] = [
        { field: 'deviceId', cond: 'in', vstd: deviceIds.join(',') },
        { field: 'event', cond: 'in', vstd: ALARM_EVENTS.join(',') },
      ]
      return call(getAlarmLog, { filter, ...toAskedSpan(range), limiter: MOST_MARKS }, { signal })
    },
  })
