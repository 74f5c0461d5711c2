import type { Finding } from '@isotherm/contract/alarms/finding'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { Series } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { DOUBTFUL_QUALITY, isMetricName, type MetricName } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'

/** What is wrong with the first readings of a device. */
export type FirstProblem =
  /** It does not report the main metrics of its kind. */
  | { readonly name: 'missing'; readonly metrics: readonly MetricName[] }
  /** The return is warmer than the supply in most readings with flow. */
  | { readonly name: 'swapped'; readonly excessK: number }
  /** Values that the server marked as suspect when they arrived. */
  | { readonly name: 'suspect'; readonly metrics: readonly MetricName[] }
  /** Nothing flowed, so supply and return say nothing about each other. */
  | { readonly name: 'no-flow' }
  | { readonly name: 'clock'; readonly offsetS: number }

export interface FirstVerdict {
  /** Number of instants with readings. */
  readonly readings: number
  readonly problems: readonly FirstProblem[]
}

/** A device is new for this time after its first reading, ms. */
export const NEW_MS = DAY_MS

/** Difference that swapped sensors show at least, K; as rule R7 of the server has it. */
const SWAPPED_K = 0.5
/** Below this nothing flows, m³/h; as rule R7 has it for meters of unknown models. */
const MIN_FLOW_M3H = 0.02

/** Metrics without which a device of a kind is useless. */
const needed: Readonly<Record<DeviceKind, readonly MetricName[]>> = {
  valve: ['valve.opening'],
  'heat-meter': ['heat.energy', 'heat.flow', 'temp.supply', 'temp.return'],
  'room-sensor': ['temp.room'],
  station: ['temp.supply', 'temp.return'],
  concentrator: [],
  // It measures one thing or several.
  sensor: [],
}

type Values = ReadonlyMap<number, number>

function toValues(series: readonly Series[], metric: MetricName): Values {
  const points = series.find((each) => each.metric === metric)?.points ?? []
  return new Map(
    points.flatMap(([ts, value, bits]) => ((bits & DOUBTFUL_QUALITY) === 0 ? [[ts, value]] : [])),
  )
}

const toMedian = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0

/** Supply against return where water flows. Without a flow meter it is taken to flow. */
function judgeTemperatures(series: readonly Series[]): readonly FirstProblem[] {
  const [supply, back] = [toValues(series, 'temp.supply'), toValues(series, 'temp.return')]
  const flow = toValues(series, 'heat.flow')
  const instants = [...supply.keys()].filter((ts) => back.has(ts))
  const flowing = flow.size === 0 ? instants : instants.filter((ts) => (flow.get(ts) ?? 0) > MIN_FLOW_M3H)
  if (instants.length > 0 && flowing.length === 0) return [{ name: 'no-flow' }]
  const excesses = flowing.map((ts) => (back.get(ts) ?? 0) - (supply.get(ts) ?? 0)).sort((a, b) => a - b)
  const excessK = toMedian(excesses)
  return excessK > SWAPPED_K ? [{ name: 'swapped', excessK }] : []
}

const isSuspect = ({ points }: Series): boolean =>
  points.some(([, , bits]) => (bits & DOUBTFUL_QUALITY) !== 0)

function judgeClock(
  findings: readonly Pick<Finding, 'rule' | 'until' | 'detail'>[],
): readonly FirstProblem[] {
  const found = findings.find(({ rule, until }) => rule === 'meter-clock' && until === undefined)
  const offsetS = found?.detail.offsetS
  return typeof offsetS === 'number' ? [{ name: 'clock', offsetS }] : []
}

/**
 * Judges the first readings of a device; undefined if it has reported for longer than a day. `series`: its newest readings, each at its instant.
 * Physics over hours, such as registers against power, are the rules of the server, whose findings are shown beside.
 */
export function judgeFirstReadings(
  {
    kind,
    series,
    findings,
  }: {
    readonly kind: DeviceKind
    readonly series: readonly Series[]
    readonly findings: readonly Pick<Finding, 'rule' | 'until' | 'detail'>[]
  },
  now: number,
): FirstVerdict | undefined {
  const reported = series.filter(({ points }) => points.length > 0)
  if (reported.some(({ points }) => (points[0]?.[0] ?? now) < now - NEW_MS)) return undefined
  const instants = new Set(reported.flatMap(({ points }) => points.map(([ts]) => ts)))
  if (instants.size === 0) return { readings: 0, problems: [] }
  const toNames = (list: readonly Series[]): readonly MetricName[] =>
    list.flatMap(({ metric }) => (isMetricName(metric) ? [metric] : []))
  const names = toNames(reported)
  const missing = needed[kind].filter((name) => !names.includes(name))
  const suspect = toNames(reported.filter(isSuspect))
  return {
    readings: instants.size,
    problems: [
      ...(missing.length > 0 ? [{ name: 'missing', metrics: missing } as const] : []),
      ...judgeTemperatures(reported),
      ...(suspect.length > 0 ? [{ name: 'suspect', metrics: suspect } as const] : []),
      ...judgeClock(findings),
    ],
  }
}

/** A clock error in the largest suitable unit. */
export function toClockOffset(offsetS: number): {
  readonly unit: 'year' | 'day' | 'hour' | 'minute'
  readonly value: number
} {
  const seconds = Math.abs(offsetS)
  if (seconds >= 31_557_600) return { unit: 'year', value: Math.round(seconds / 31_557_600) }
  if (seconds >= 86_400) return { unit: 'day', value: Math.round(seconds / 86_400) }
  if (seconds >= 3_600) return { unit: 'hour', value: Math.round(seconds / 3_600) }
  return { unit: 'minute', value: Math.round(seconds / 60) }
}
