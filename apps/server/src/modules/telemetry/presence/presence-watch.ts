import type { BirthMessage } from '@isotherm/contract/mqtt'
import type { Clock } from '../../../platform/clock.ts'
import { createSteadyClock } from '../../../platform/tasks/steady-clock.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import { createDueQueue } from './due-queue.ts'
import { createReportColumns, type Reports } from './report-columns.ts'
import { type PresenceState, toAllowanceMs, toConcentratorPresence, toPresence } from './to-presence.ts'

/** A device started to report, became silent, or its state became unknown. */
export interface PresenceChange {
  readonly deviceId: number
  /** Unix ms. */
  readonly at: number
  readonly presence: PresenceState
  /** Only for `unknown`: the concentrator that is the reason. */
  readonly behind?: number
}

export type PresenceListener = (changes: readonly PresenceChange[]) => void

export interface PresenceWatch {
  /** A reading of a device at an instant (Unix ms) arrived, through a gateway or directly. */
  recordReading(device: DirectoryEntry, reportedAt: number): void
  /** A message of a gateway arrived, whatever it contains. */
  recordGateway(gateway: DirectoryEntry): void
  recordLink(gateway: DirectoryEntry, birth: Pick<BirthMessage, 'online' | 'firmware'>): void
  /** State of a device now; undefined if it is not in the registry. */
  find(deviceId: number): PresenceState | undefined
  /**
   * Instant (Unix ms) of the newest data of a device, or of the newest message of a concentrator; undefined if it has never
   * reported.
   */
  findSeen(deviceId: number): number | undefined
  /** Firmware that a gateway last reported, if it did. */
  findFirmware(deviceId: number): string | undefined
  /** State that was last notified; up to two seconds old. Fast, for loops over all devices. */
  lastNotified(deviceId: number): PresenceState | undefined
  /** Notifies of changes; many at once if a concentrator affects its devices. Returns a function that stops it. */
  onChanged(listener: PresenceListener): () => void
  /** Notifies of the changes since the last call; called after each batch of `recordReading`. */
  flush(): void
  /** Starts the watch. Earlier reports count as if the server had not been down. */
  start(): void
  /** Time without reports before the start, because the server was down, ms. */
  downtimeMs(): number
  close(): void
}

export interface PresenceWatchOptions {
  readonly clock: Clock
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById' | 'onPlaced'>
}

/**
 * Watches 230,000 devices without a loop over all of them. Each device waits for the second in which it would be
 * overdue, and is checked only then. If it reported meanwhile, it waits for its new second.
 */
export function createPresenceWatch({ clock, directory }: PresenceWatchOptions): PresenceWatch {
  const tracked = createReportColumns()
  /** Of gateways. */
  const firmwares = new Map<number, string>()
  const children = new Map<number, Set<number>>()
  const listeners = new Set<PresenceListener>()
  /** Measures the age of reports by the time that has passed, also if the machine's clock is set meanwhile. */
  const steady = createSteadyClock(clock)
  const queue = createDueQueue(clock, steady, (ids) => checkAll(ids, steady.now()))
  let gathered: PresenceChange[] = []
  let isStarted = false
  let away = 0

  function file(entry: DirectoryEntry, known: Reports): void {
    const { concentratorId } = entry
    if (known.concentratorId === concentratorId) return
    if (known.concentratorId !== undefined) children.get(known.concentratorId)?.delete(entry.id)
    known.concentratorId = concentratorId
    if (concentratorId === undefined) return
    const siblings = children.get(concentratorId) ?? new Set<number>()
    children.set(concentratorId, siblings.add(entry.id))
  }

  function track(entry: DirectoryEntry): Reports {
    const known = tracked.find(entry.id) ?? tracked.add(entry.id)
    file(entry, known)
    return known
  }

  /**
   * The instant of a report by the steady clock. Its age is the smaller one of the ages by the machine's clock as it is set now and
   * as it was before it was set. An instant in the future counts as now: a fast clock must not extend the presence of a device.
   */
  function toSteady(reportedAt: number): number {
    const ageMs = Math.min(clock.now() - reportedAt, clock.now() + steady.shiftMs() - reportedAt)
    return steady.now() - Math.max(0, ageMs)
  }

  const hasChildren = (id: number): boolean => (children.get(id)?.size ?? 0) > 0

  const judgeConcentrator = (
    entry: DirectoryEntry,
    { reportedAt, link, isMissed }: Reports,
    now: number,
  ): 'present' | 'silent' =>
    toConcentratorPresence(
      { reportedAt, link, isMissed, hasChildren: hasChildren(entry.id) },
      entry.periodS,
      now,
    )

  function judge(entry: DirectoryEntry, known: Reports, now: number): PresenceState {
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

  function move(entry: DirectoryEntry, known: Reports, presence: PresenceState): void {
    if (known.presence === presence) return
    known.presence = presence
    if (!isStarted) return
    const behind = presence === 'unknown' ? entry.concentratorId : undefined
    gathered.push({
      deviceId: entry.id,
      at: clock.now(),
      presence,
      ...(behind === undefined ? {} : { behind }),
    })
  }

  /** Schedules the next check: the instant at which the state changes if nothing is reported. */
  function wait(entry: DirectoryEntry, known: Reports, now: number): void {
    const since = Math.max(known.reportedAt ?? 0, known.presence === 'unknown' ? (known.graceFrom ?? 0) : 0)
    const due = since + toAllowanceMs(entry.periodS)
    if (due >= now) queue.put(entry.id, due + 1)
  }

  function check(id: number, now: number): void {
    const entry = directory.findById(id)
    if (!entry) {
      forget(id)
      return
    }
    const known = track(entry)
    const before = known.presence
    if (judge(entry, known, now) === 'unknown') recordMissed(entry, known, now)
    // The missing report may just have shown that the concentrator is silent.
    move(entry, known, judge(entry, known, now))
    if (entry.kind === 'concentrator' && known.presence === 'silent' && before === 'present')
      checkChildren(id, now)
    wait(entry, known, now)
  }

  /** A device is overdue and the reason is unknown: its concentrator may be silent. */
  function recordMissed(child: DirectoryEntry, { graceFrom }: Reports, now: number): void {
    if (graceFrom !== undefined && now - graceFrom <= toAllowanceMs(child.periodS)) return
    const concentrator =
      child.concentratorId === undefined ? undefined : directory.findById(child.concentratorId)
    if (!concentrator) return
    const known = track(concentrator)
    if (known.isMissed) return
    known.isMissed = true
    check(concentrator.id, now)
  }

  function checkChildren(concentratorId: number, now: number): void {
    for (const id of children.get(concentratorId) ?? []) check(id, now)
  }

  function forget(id: number): void {
    const known = tracked.find(id)
    if (known?.concentratorId !== undefined) children.get(known.concentratorId)?.delete(id)
    tracked.remove(id)
    firmwares.delete(id)
  }

  /** Checks concentrators first, so that devices behind a silent one never count as silent themselves. */
  function checkAll(ids: readonly number[], now: number): void {
    const isConcentrator = (id: number): boolean => directory.findById(id)?.kind === 'concentrator'
    for (const id of ids) if (isConcentrator(id)) check(id, now)
    for (const id of ids) if (!isConcentrator(id)) check(id, now)
    flush()
  }

  function recordConcentrator(concentrator: DirectoryEntry, now: number): void {
    const known = track(concentrator)
    known.reportedAt = Math.max(known.reportedAt ?? 0, now)
    known.seenAt = clock.now()
    wait(concentrator, known, now)
    if (known.presence === 'present' && !known.isMissed) return
    known.isMissed = false
    if (judgeConcentrator(concentrator, known, now) === 'silent') return
    move(concentrator, known, 'present')
    for (const id of children.get(concentrator.id) ?? []) {
      const child = tracked.find(id)
      if (child?.presence !== 'unknown') continue
      // From now on it has time for its next report.
      child.graceFrom = now
      check(id, now)
    }
  }

  /** At start only readings are restored. A reading shows that the concentrator reported too. */
  function deriveConcentratorReports(): void {
    for (const device of directory.entries()) {
      const { concentratorId, reportedAt } = track(device)
      const concentrator = concentratorId === undefined ? undefined : tracked.find(concentratorId)
      if (concentrator && reportedAt !== undefined)
        concentrator.reportedAt = Math.max(concentrator.reportedAt ?? 0, reportedAt)
    }
  }

  function flush(): void {
    if (gathered.length === 0) return
    const changes = gathered
    gathered = []
    for (const listener of listeners) listener(changes)
  }

  const stopPlaced = directory.onPlaced((placed, left) => {
    const now = steady.now()
    const concentrators = new Set([...left, ...placed].flatMap(({ concentratorId }) => concentratorId ?? []))
    for (const { id } of left) if (!directory.findById(id)) forget(id)
    for (const entry of placed) track(entry)
    // The state may change for a concentrator with other devices than before, and for a device with a new period.
    if (!isStarted) return
    for (const id of concentrators) check(id, now)
    for (const { id } of placed) check(id, now)
    flush()
  })

  return {
    recordReading(device, reportedAt) {
      const now = steady.now()
      const known = track(device)
      const at = toSteady(reportedAt)
      if (at <= (known.reportedAt ?? 0)) return
      known.reportedAt = at
      known.seenAt = Math.min(reportedAt, clock.now())
      if (!isStarted || device.kind === 'concentrator') return
      if (known.presence !== 'present') move(device, known, judge(device, known, now))
      wait(device, known, now)
    },
    recordGateway(gateway) {
      if (gateway.kind === 'concentrator') recordConcentrator(gateway, steady.now())
    },
    recordLink(gateway, { online, firmware }) {
      const known = track(gateway)
      if (firmware !== undefined) firmwares.set(gateway.id, firmware)
      if (gateway.kind !== 'concentrator') return
      const now = steady.now()
      known.link = online ? 'online' : 'offline'
      if (online) recordConcentrator(gateway, now)
      check(gateway.id, now)
      flush()
    },
    find(deviceId) {
      const entry = directory.findById(deviceId)
      return entry && judge(entry, track(entry), steady.now())
    },
    findSeen: (deviceId) => tracked.find(deviceId)?.seenAt,
    findFirmware: (deviceId) => firmwares.get(deviceId),
    lastNotified: tracked.presenceOf,
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    flush,
    start() {
      const now = steady.now()
      for (const entry of directory.entries()) track(entry)
      deriveConcentratorReports()
      let newest = 0
      for (const entry of directory.entries()) newest = Math.max(newest, track(entry).reportedAt ?? 0)
      // No report could arrive while the server was down, so that time counts against no device.
      away = newest === 0 ? 0 : now - newest
      for (const entry of directory.entries()) {
        const known = track(entry)
        known.seenAt = known.reportedAt
        if (known.reportedAt !== undefined) known.reportedAt += away
      }
      for (const { id } of directory.entries()) check(id, now)
      gathered = []
      isStarted = true
      queue.start()
    },
    downtimeMs: () => away,
    close() {
      queue.close()
      stopPlaced()
    },
  }
}
