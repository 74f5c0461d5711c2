import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmBalance } from '@isotherm/contract/alarms/alarms'
import type { Phase } from './watch-phase.ts'
import { createWatchTable, toNumber, type WatchTable } from './watch-table.ts'

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
  readonly suppressedBy?: Pick<Watch, 'kind' | 'originator'> | undefined
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

/**
 * Watches by kind and originator. Lookups build no key texts, and return copies. While watches are listed, the receiver may
 * replace and remove them, but add none of their kind.
 */
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
  /** Watches of one kind whose `dueAt` has come. */
  listDue(kind: AlarmKind, now: number): Iterable<Watch>
}

/** Whether its alarm is raised. */
export const isOn = (watch: Watch | undefined): watch is Watch => watch !== undefined && hasAlarm(watch.phase)

const hasAlarm = (phase: Phase): boolean => phase === 'raised' || phase === 'clearing'

export function createWatches(): Watches {
  const byKind = new Map<AlarmKind, WatchTable>()

  function open(kind: AlarmKind): WatchTable {
    const table = byKind.get(kind) ?? createWatchTable(kind)
    byKind.set(kind, table)
    return table
  }

  return {
    find: (kind, originator) => byKind.get(kind)?.find(toNumber(originator)),
    findOfDevice: (kind, deviceId) => byKind.get(kind)?.find(deviceId),
    findOfNode: (kind, nodeId) => byKind.get(kind)?.find(-nodeId),
    put: (watch) => open(watch.kind).put(watch),
    remove: (kind, originator) => byKind.get(kind)?.remove(toNumber(originator)),
    count: (kind) => byKind.get(kind)?.count() ?? 0,
    *listOn() {
      for (const table of byKind.values()) yield* table.list({ on: true })
    },
    listDue: (kind, now) => byKind.get(kind)?.list({ dueAt: now }) ?? [],
    *list(kind) {
      if (kind !== undefined) yield* byKind.get(kind)?.list() ?? []
      else for (const table of byKind.values()) yield* table.list()
    },
  }
}
