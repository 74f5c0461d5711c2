import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmBalance } from '@isotherm/contract/alarms/alarms'
import type { Phase } from './watch-phase.ts'

/** Originator of an alarm: a device or a node. */
export type Originator =
  | { readonly deviceId: number; readonly nodeId?: undefined }
  | { readonly nodeId: number; readonly deviceId?: undefined }

/** Key of an originator, as in the tables. */
export const toOriginatorKey = ({ deviceId, nodeId }: Originator): string =>
  deviceId === undefined ? `n${nodeId}` : `d${deviceId}`

/** Key of a watch: an alarm kind at an originator. */
export const toWatchKey = ({
  kind,
  originator,
}: {
  readonly kind: AlarmKind
  readonly originator: Originator
}) => `${toOriginatorKey(originator)} ${kind}`

/** State of an alarm kind at an originator, while it is not quiet. */
export interface Watch {
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly phase: Exclude<Phase, 'quiet'>
  /** Since when, Unix ms. */
  readonly since: number
  /** Instant of the latest evaluation; older observations are ignored. */
  readonly judgedAt: number
  /** Next evaluation by the clock; absent if only readings are evaluated. */
  readonly dueAt?: number | undefined
  /** The raised alarm that suppresses this one. */
  readonly suppressedBy?: Watch | undefined
}

/** An alarm that was raised, cleared or withdrawn, to be stored. */
export interface Transition {
  readonly op: 'raised' | 'cleared' | 'withdrawn'
  readonly kind: AlarmKind
  readonly originator: Originator
  /** Unix ms. */
  readonly at: number
  readonly value?: number | undefined
  readonly severity?: AlarmSeverity | undefined
  readonly ruleId?: number | undefined
  /** The strategy or campaign of the alarm. */
  readonly balance?: AlarmBalance | undefined
}

/** A delay that started or ended. */
export interface DelayChange {
  readonly op: 'delay'
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly phase: 'raising' | 'clearing' | undefined
  readonly since: number
}

/** A changed suppression of an alarm; `by` is undefined if it is no longer suppressed. */
export interface Suppression {
  readonly op: 'suppression'
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly at: number
  readonly by: Pick<Watch, 'kind' | 'originator'> | undefined
}

export type Change = Transition | DelayChange | Suppression

/** Watches by kind and originator. Lookups build no key texts. */
export interface Watches {
  find(kind: AlarmKind, originator: Originator): Watch | undefined
  findOfDevice(kind: AlarmKind, deviceId: number): Watch | undefined
  findOfNode(kind: AlarmKind, nodeId: number): Watch | undefined
  put(watch: Watch): void
  remove(kind: AlarmKind, originator: Originator): void
  count(kind: AlarmKind): number
  /** Watches with a raised alarm. */
  listOn(): Iterable<Watch>
  /** Watches of one kind, or all. */
  list(kind?: AlarmKind): Iterable<Watch>
  /** Calls `visit` for the watches of one kind; it may replace and remove them. */
  visit(kind: AlarmKind, visit: (watch: Watch) => void): void
}

/** Whether its alarm is raised. */
export const isOn = (watch: Watch | undefined): watch is Watch => watch !== undefined && hasAlarm(watch.phase)

const hasAlarm = (phase: Phase): boolean => phase === 'raised' || phase === 'clearing'

const toNumber = ({ deviceId, nodeId }: Originator): number => deviceId ?? -nodeId

export function createWatches(): Watches {
  /** Watches with a raised alarm, by kind: few, while many may be in a delay. */
  const on = new Map<AlarmKind, Map<number, Watch>>()
  const byKind = new Map<AlarmKind, Map<number, Watch>>()
  return {
    find: (kind, originator) => byKind.get(kind)?.get(toNumber(originator)),
    findOfDevice: (kind, deviceId) => byKind.get(kind)?.get(deviceId),
    findOfNode: (kind, nodeId) => byKind.get(kind)?.get(-nodeId),
    put(watch) {
      const watches = byKind.get(watch.kind) ?? new Map<number, Watch>()
      const id = toNumber(watch.originator)
      byKind.set(watch.kind, watches.set(id, watch))
      if (!hasAlarm(watch.phase)) on.get(watch.kind)?.delete(id)
      else on.set(watch.kind, (on.get(watch.kind) ?? new Map<number, Watch>()).set(id, watch))
    },
    remove(kind, originator) {
      byKind.get(kind)?.delete(toNumber(originator))
      on.get(kind)?.delete(toNumber(originator))
    },
    count: (kind) => byKind.get(kind)?.size ?? 0,
    *listOn() {
      for (const watches of on.values()) yield* watches.values()
    },
    visit(kind, visit) {
      byKind.get(kind)?.forEach(visit)
    },
    *list(kind) {
      if (kind !== undefined) yield* byKind.get(kind)?.values() ?? []
      else for (const watches of byKind.values()) yield* watches.values()
    },
  }
}
