import {
  type AlarmKind,
  alarmKindDefinition,
  alarmKindNames,
  type StoppedThing,
} from '@isotherm/contract/alarms/alarm-kinds'
import type { FindingRule } from '@isotherm/contract/alarms/finding'
import type { DeviceKind } from '@isotherm/contract/devices'
import { DOUBTFUL_QUALITY, type MetricName, quality } from '@isotherm/contract/metrics'

/** A value of a reading, as alarms evaluate it. */
export interface MeasuredValue {
  readonly metric: MetricName
  readonly value: number
  readonly quality: number
}

/** Computes the measure of an alarm kind from one reading; undefined if the reading does not contain it. */
export type Measure = (values: readonly MeasuredValue[]) => number | undefined

/** Suspect values, and values in maintenance mode, neither raise nor clear alarms. */
const UNUSED = DOUBTFUL_QUALITY | quality.maintenance

function findValue(values: readonly MeasuredValue[], metric: MetricName): number | undefined {
  const found = values.find((value) => value.metric === metric)
  return found && (found.quality & UNUSED) === 0 ? found.value : undefined
}

function toMeasure(kind: AlarmKind): Measure | undefined {
  const { source } = alarmKindDefinition(kind)
  if (source.from === 'metric') return (values) => findValue(values, source.metric)
  if (source.from === 'quality') {
    return (values) => {
      if (values.length === 0 || values.some((value) => value.quality & quality.maintenance)) return undefined
      return values.some((value) => value.quality & source.bits) ? 1 : 0
    }
  }
  if (source.from === 'gap') {
    return (values) => {
      const opening = findValue(values, 'valve.opening')
      const target = findValue(values, 'valve.target')
      return opening === undefined || target === undefined ? undefined : Math.abs(opening - target)
    }
  }
  return undefined
}

export interface MeasuredKind {
  readonly kind: AlarmKind
  readonly when: 'above' | 'below'
  readonly measure: Measure
}

const measured: readonly MeasuredKind[] = alarmKindNames.flatMap((kind) => {
  const measure = toMeasure(kind)
  return measure ? [{ kind, when: alarmKindDefinition(kind).source.when, measure }] : []
})

const byDevice = new Map<DeviceKind, readonly MeasuredKind[]>()

/** Alarm kinds that are evaluated for readings of a device kind. */
export function listMeasured(device: DeviceKind): readonly MeasuredKind[] {
  const known = byDevice.get(device)
  if (known) return known
  const found = measured.filter(({ kind }) => alarmKindDefinition(kind).devices.includes(device))
  byDevice.set(device, found)
  return found
}

const byFinding = new Map<FindingRule, AlarmKind>(
  alarmKindNames.flatMap((kind) => {
    const { source } = alarmKindDefinition(kind)
    return source.from === 'finding' ? [[source.rule, kind] as const] : []
  }),
)

/** Alarm kind of a finding; undefined if the finding raises no alarm. */
export const findKindOfFinding = (rule: FindingRule): AlarmKind | undefined => byFinding.get(rule)

/** Alarm kinds of what stopped automatically or failed at a node. */
export const stoppedKinds: ReadonlyMap<StoppedThing, AlarmKind> = new Map(
  alarmKindNames.flatMap((kind) => {
    const { source } = alarmKindDefinition(kind)
    return source.from === 'stopped' ? [[source.what, kind] as const] : []
  }),
)

/** Kinds whose delays end by the clock. Concentrators come first, because the devices behind them wait for them. */
export const timedKinds: readonly AlarmKind[] = [
  'concentrator-silent',
  'device-silent',
  ...byFinding.values(),
]

/** Alarm kind for a silent device. */
export const toSilenceKind = (device: DeviceKind): AlarmKind =>
  device === 'concentrator' ? 'concentrator-silent' : 'device-silent'
