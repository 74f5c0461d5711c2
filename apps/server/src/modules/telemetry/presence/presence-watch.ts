import type { BirthMessage } from '@isotherm/contract/mqtt'
import type { Clock } from '../../../platform/clock.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import { createIdColumn } from '../latest/id-column.ts'
import { createDueQueue } from './due-queue.ts'
import { type PresenceState, toAllowanceMs, toConcentratorPresence, toPresence } from './to-presence.ts'

/** A device began to speak, fell silent, or can no longer be told of. */
export interface PresenceChange {
  readonly deviceId: number
  /** Unix ms. */
  readonly at: number
  readonly presence: PresenceState
  /** The concentrator for whose sake nobody can tell; of `unknown` only. */
  readonly behind?: number
}

export type PresenceListener = (changes: readonly PresenceChange[]) => void

export interface PresenceWatch {
  /** A device's data of an instant (Unix ms) arrived, through its node or by itself. */
  noteReading(device: DirectoryEntry, reportedAt: number): void
  /** A node said something, whatever it was about. */
  noteGateway(gateway: DirectoryEntry): void
  noteLink(gateway: DirectoryEntry, birth: Pick<BirthMessage, 'online'>): void
  /** What a device is now; undefined for one that is not in the registry. */
  find(deviceId: number): PresenceState | undefined
  /** What was last told of a device, a second or two after it was so: for who goes through all devices. */
  lastNotified(deviceId: number): PresenceState | undefined
  /** Tells changes as they happen, many at once when a concentrator takes its devices along. Returns how to stop. */
  onChanged(heard: PresenceListener): () => void
  /** Tells what gathered since the last telling; after each batch of `hear`. */
  flush(): void
  /** Begins to watch. Before that, what is heard is taken as it stood when the server last ran. */
  start(): void
  /** How long nobody could be heard before that, ms. */
  awayMs(): number
  close(): void
}

interface Tracked {
  /** Newest data, Unix ms; of a concentrator anything heard of it. */
  reportedAt: number | undefined
  presence: PresenceState
  /** Concentrator under which it is filed, and since when that is back. */
  concentratorId: number | undefined
  graceFrom: number | undefined
  /** Of a concentrator. */
  link: 'online' | 'offline' | undefined
  isMissed: boolean
}

const neverReported: Tracked = {
  reportedAt: undefined,
  presence: 'silent',
  concentratorId: undefined,
  graceFrom: undefined,
  link: undefined,
  isMissed: false,
}

/** As they stand in the column of what was told. */
const states: readonly PresenceState[] = ['present', 'silent', 'unknown']

export interface PresenceWatchOptions {
  readonly clock: Clock
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById' | 'onPlaced'>
}

/**
 * Watches 230,000 devices without going through them: each waits in the second in which it would be overdue, and
 * is looked at again only then. One that spoke meanwhile goes on to the second it has now.
 */
export function createPresenceWatch({ clock, directory }: PresenceWatchOptions): PresenceWatch {
  const tracked = new Map<number, Tracked>()
  const notified = createIdColumn()
  const children = new Map<number, Set<number>>()
  const listeners = new Set<PresenceListener>()
  const queue = createDueQueue(clock, checkAll)
  let gathered: PresenceChange[] = []
  let isStarted = false
  let away = 0

  function file(entry: DirectoryEntry, known: Tracked): void {
    const { concentratorId } = entry
    if (known.concentratorId === concentratorId) return
    if (known.concentratorId !== undefined) children.get(known.concentratorId)?.delete(entry.id)
    known.concentratorId = concentratorId
    if (concentratorId === undefined) return
    const beside = children.get(concentratorId) ?? new Set<number>()
    children.set(concentratorId, beside.add(entry.id))
  }

  function track(entry: DirectoryEntry): Tracked {
    let known = tracked.get(entry.id)
    if (!known) {
      known = { ...neverReported }
      tracked.set(entry.id, known)
      notified.put(entry.id, states.indexOf(known.presence))
    }
    file(entry, known)
    return known
  }

  const hasChildren = (id: number): boolean => (children.get(id)?.size ?? 0) > 0

  const judgeConcentrator = (
    entry: DirectoryEntry,
    { reportedAt, link, isMissed }: Tracked,
    now: number,
  ): 'present' | 'silent' =>
    toConcentratorPresence(
      { reportedAt, link, isMissed, hasChildren: hasChildren(entry.id) },
      entry.periodS,
      now,
    )

  function judge(entry: DirectoryEntry, known: Tracked, now: number): PresenceState {
    if (entry.kind === 'concentrator') return judgeConcentrator(entry, known, now)
    const concentratorEntry =
      entry.concentratorId === undefined ? undefined : directory.findById(entry.concentratorId)
    const concentrator = concentratorEntry && track(concentratorEntry)
    const shown = concentrator && {
      reportedAt: concentrator.reportedAt,
      presence: judgeConcentrator(concentratorEntry, concentrator, now),
    }
    return toPresence(known, entry.periodS, shown, now)
  }

  function move(entry: DirectoryEntry, known: Tracked, presence: PresenceState, now: number): void {
    if (known.presence === presence) return
    known.presence = presence
    notified.put(entry.id, states.indexOf(presence))
    if (!isStarted) return
    const behind = presence === 'unknown' ? entry.concentratorId : undefined
    gathered.push({ deviceId: entry.id, at: now, presence, ...(behind === undefined ? {} : { behind }) })
  }

  /** When a device would next be other than it is without anybody saying anything. */
  function wait(entry: DirectoryEntry, known: Tracked, now: number): void {
    const since = Math.max(known.reportedAt ?? 0, known.presence === 'unknown' ? (known.graceFrom ?? 0) : 0)
    const due = since + toAllowanceMs(entry.periodS)
    if (due >= now) queue.put(entry.id, due + 1)
  }

  function look(id: number, now: number): void {
    const entry = directory.findById(id)
    if (!entry) {
      forget(id)
      return
    }
    const known = track(entry)
    const before = known.presence
    if (judge(entry, known, now) === 'unknown') miss(entry, known, now)
    // Missing it may just have shown that the concentrator is silent.
    move(entry, known, judge(entry, known, now), now)
    if (entry.kind === 'concentrator' && known.presence === 'silent' && before === 'present')
      checkChildren(id, now)
    wait(entry, known, now)
  }

  /** A device is overdue and nobody can tell why: its concentrator may be the one that is silent. */
  function miss(child: DirectoryEntry, { graceFrom }: Tracked, now: number): void {
    if (graceFrom !== undefined && now - graceFrom <= toAllowanceMs(child.periodS)) return
    const concentrator =
      child.concentratorId === undefined ? undefined : directory.findById(child.concentratorId)
    if (!concentrator) return
    const known = track(concentrator)
    if (known.isMissed) return
    known.isMissed = true
    look(concentrator.id, now)
  }

  function checkChildren(concentratorId: number, now: number): void {
    for (const id of children.get(concentratorId) ?? []) look(id, now)
  }

  function forget(id: number): void {
    const known = tracked.get(id)
    if (known?.concentratorId !== undefined) children.get(known.concentratorId)?.delete(id)
    tracked.delete(id)
    notified.put(id, Number.NaN)
  }

  /** The concentrators first, so that what stands behind a silent one never counts as silent itself. */
  function checkAll(ids: readonly number[], now: number): void {
    const isConcentrator = (id: number): boolean => directory.findById(id)?.kind === 'concentrator'
    for (const id of ids) if (isConcentrator(id)) look(id, now)
    for (const id of ids) if (!isConcentrator(id)) look(id, now)
    flush()
  }

  function noteConcentrator(concentrator: DirectoryEntry, now: number): void {
    const known = track(concentrator)
    known.reportedAt = Math.max(known.reportedAt ?? 0, now)
    wait(concentrator, known, now)
    if (known.presence === 'present' && !known.isMissed) return
    known.isMissed = false
    if (judgeConcentrator(concentrator, known, now) === 'silent') return
    move(concentrator, known, 'present', now)
    for (const id of children.get(concentrator.id) ?? []) {
      const child = tracked.get(id)
      if (child?.presence !== 'unknown') continue
      // From here on it has the time to take its turn.
      child.graceFrom = now
      look(id, now)
    }
  }

  /** What is read back at start are readings; they tell when the concentrator in between spoke as well. */
  function deriveConcentratorReports(): void {
    for (const { concentratorId, reportedAt } of tracked.values()) {
      const concentrator = concentratorId === undefined ? undefined : tracked.get(concentratorId)
      if (concentrator && reportedAt !== undefined)
        concentrator.reportedAt = Math.max(concentrator.reportedAt ?? 0, reportedAt)
    }
  }

  function flush(): void {
    if (gathered.length === 0) return
    const changes = gathered
    gathered = []
    for (const heard of listeners) heard(changes)
  }

  const stopPlaced = directory.onPlaced((placed, left) => {
    const now = clock.now()
    const concentrators = new Set([...left, ...placed].flatMap(({ concentratorId }) => concentratorId ?? []))
    for (const { id } of left) if (!directory.findById(id)) forget(id)
    for (const entry of placed) track(entry)
    // A concentrator that carries other devices than before, and devices of another period, may be judged otherwise.
    if (!isStarted) return
    for (const id of concentrators) look(id, now)
    for (const { id } of placed) look(id, now)
    flush()
  })

  return {
    noteReading(device, reportedAt) {
      const now = clock.now()
      const known = track(device)
      // A clock that runs ahead must not keep a device present for longer.
      const at = Math.min(reportedAt, now)
      if (at <= (known.reportedAt ?? 0)) return
      known.reportedAt = at
      if (!isStarted || device.kind === 'concentrator') return
      if (known.presence !== 'present') move(device, known, judge(device, known, now), now)
      wait(device, known, now)
    },
    noteGateway(gateway) {
      if (gateway.kind === 'concentrator') noteConcentrator(gateway, clock.now())
    },
    noteLink(gateway, { online }) {
      if (gateway.kind !== 'concentrator') return
      const now = clock.now()
      track(gateway).link = online ? 'online' : 'offline'
      if (online) noteConcentrator(gateway, now)
      look(gateway.id, now)
      flush()
    },
    find(deviceId) {
      const entry = directory.findById(deviceId)
      return entry && judge(entry, track(entry), clock.now())
    },
    lastNotified: (deviceId) => states[notified.get(deviceId)],
    onChanged(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    flush,
    start() {
      const now = clock.now()
      for (const entry of directory.entries()) track(entry)
      deriveConcentratorReports()
      let newest = 0
      for (const { reportedAt } of tracked.values()) newest = Math.max(newest, reportedAt ?? 0)
      // While the server was away nobody could be heard: that time counts against no device.
      away = newest === 0 ? 0 : now - newest
      for (const known of tracked.values()) if (known.reportedAt !== undefined) known.reportedAt += away
      for (const id of tracked.keys()) look(id, now)
      gathered = []
      isStarted = true
      queue.start()
    },
    awayMs: () => away,
    close() {
      queue.close()
      stopPlaced()
    },
  }
}
