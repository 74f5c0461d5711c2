import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmBalance } from '@isotherm/contract/alarms/alarms'
import type { Phase } from './watch-phase.ts'

/** What an alarm is of: a device, or a node. */
export type Originator =
  | { readonly deviceId: number; readonly nodeId?: undefined }
  | { readonly nodeId: number; readonly deviceId?: undefined }

/** The originator as the tables have it. */
export const toOriginatorKey = ({ deviceId, nodeId }: Originator): string =>
  deviceId === undefined ? `n${nodeId}` : `d${deviceId}`

/** Names what is watched: a kind of alarm at an originator. */
export const toWatchKey = ({
  kind,
  originator,
}: {
  readonly kind: AlarmKind
  readonly originator: Originator
}) => `${toOriginatorKey(originator)} ${kind}`

/** One kind of alarm at one originator, as long as it is not quiet. */
export interface Watch {
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly phase: Exclude<Phase, 'quiet'>
  /** Since when, Unix ms. */
  readonly since: number
  /** Latest instant it was judged by; what is older says nothing new. */
  readonly judgedAt: number
  /** When to look again without a reading; absent for what only readings judge. */
  readonly dueAt?: number | undefined
  /** The raised alarm behind which it is kept. */
  readonly behind?: Watch | undefined
}

/** What is put down of an alarm that came or went. */
export interface Transition {
  readonly op: 'raised' | 'cleared' | 'withdrawn'
  readonly kind: AlarmKind
  readonly originator: Originator
  /** Unix ms. */
  readonly at: number
  readonly value?: number | undefined
  readonly severity?: AlarmSeverity | undefined
  readonly ruleId?: number | undefined
  /** The balance it is about. */
  readonly balance?: AlarmBalance | undefined
}

/** A delay that began, or that is over. */
export interface DelayChange {
  readonly op: 'delay'
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly phase: 'raising' | 'clearing' | undefined
  readonly since: number
}

/** An alarm that is kept behind another from now on, or behind none. */
export interface Suppression {
  readonly op: 'suppression'
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly at: number
  readonly by: Pick<Watch, 'kind' | 'originator'> | undefined
}

export type Change = Transition | DelayChange | Suppression

/** Watches by kind and originator, without making a text for each question. */
export interface Watches {
  find(kind: AlarmKind, originator: Originator): Watch | undefined
  findOfDevice(kind: AlarmKind, deviceId: number): Watch | undefined
  findOfNode(kind: AlarmKind, nodeId: number): Watch | undefined
  put(watch: Watch): void
  remove(kind: AlarmKind, originator: Originator): void
  count(kind: AlarmKind): number
  /** Those whose alarm is on. */
  listOn(): Iterable<Watch>
  /** Those of one kind; all of them without. */
  list(kind?: AlarmKind): Iterable<Watch>
  /** Calls `visit` with those of one kind; it may put them anew and remove them. */
  visit(kind: AlarmKind, visit: (watch: Watch) => void): void
}

/** Whether its alarm is raised. */
export const isOn = (watch: Watch | undefined): watch is Watch => watch !== undefined && hasAlarm(watch.phase)

const hasAlarm = (phase: Phase): boolean => phase === 'raised' || phase === 'clearing'

const toNumber = ({ deviceId, nodeId }: Originator): number => deviceId ?? -nodeId

export function createWatches(): Watches {
  /** Of each kind only those that are on: few, where many may wait. */
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
