import type { DeviceKind } from '@isotherm/contract/devices'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { createCover } from '../../../platform/scope/scope.ts'
import { parseRegistryPayload } from '../../../platform/signals/registry-signal.ts'
import type { Signals } from '../../../platform/signals/signals.ts'
import { createDirectoryIndex, type Difference } from './directory-index.ts'
import { createOrderedDevices, devicesBelow, type OrderedDevices } from './ordered-devices.ts'
import { createPendingReads, type RegistryReads } from './pending-reads.ts'

/** A device in use, with the fields that intake, commands and live push read without the database. */
export interface DirectoryEntry {
  readonly id: number
  readonly tenant: string
  readonly serial: string
  readonly kind: DeviceKind
  /** Its path, see platform/scope/scope.ts. */
  readonly path: string
  /** The concentrator it reports through; undefined when it has its own link. */
  readonly concentratorId: number | undefined
  readonly periodS: number
  /** State of its password; absent while it has its first one. */
  readonly login?: LoginState | undefined
}

/** The password of a gateway that was rotated or revoked. */
export interface LoginState {
  /** Number of rotations. */
  readonly version: number
  readonly isRevoked: boolean
  /** Certificates that were issued until then no longer hold, Unix ms; absent: all hold. */
  readonly certificatesFrom?: number | undefined
}

export type PlacedListener = (placed: readonly DirectoryEntry[], left: readonly DirectoryEntry[]) => void

/** All devices in use of the companies that this server serves, in memory. Follows the registry changes of all replicas. */
export interface DeviceDirectory {
  find(tenant: string, serial: string): DirectoryEntry | undefined
  findById(id: number): DirectoryEntry | undefined
  /** All entries, in no order. A changed device gets a new entry object; the others stay the same objects. */
  entries(): Iterable<DirectoryEntry>
  /** The entries at and below paths, each once; quick except while devices are being added, removed or moved. */
  below(paths: readonly string[]): Iterable<DirectoryEntry>
  readonly ordered: OrderedDevices
  /**
   * The number of devices in use of some kinds below a path. Undefined while the directory is behind the registry, and
   * for low paths, whose devices are counted quickly by the database.
   */
  countBelow(path: string, kinds: readonly DeviceKind[]): number | undefined
  /** Serial of the gateway that reports for the device: its concentrator's or its own. */
  gatewayOf(entry: DirectoryEntry): string
  /**
   * Calls the listener after every change with the placed devices (new, moved, or with another concentrator or period)
   * and with the devices that left their place (moved, retired or removed), in their earlier state. Returns a function
   * that stops the calls.
   */
  onPlaced(listener: PlacedListener): () => void
  /**
   * Reads devices that were just changed, and resolves when their entries are current, so that the
   * change is in force for the caller. If the registry cannot be read now, it resolves at once, and the read is retried.
   */
  readChanged(ids: readonly number[]): Promise<void>
  /** Calls the listener with the devices whose passwords no longer hold: rotated, revoked, retired or removed. */
  onLoginsEnded(listener: (devices: readonly DirectoryEntry[]) => void): void
}

/** Reads the registry in parts, so that memory never holds a second copy of it. */
export interface DirectoryReader {
  /** The next devices after `afterId`, ascending by id. An empty page is the end. */
  readPage(afterId: number): Promise<readonly DirectoryEntry[]>
  /** The devices of `ids` that are in use. */
  readDevices(ids: readonly number[]): Promise<readonly DirectoryEntry[]>
  /** Ids of the devices in use below a path. */
  listBelow(path: string): Promise<readonly number[]>
}

const RETRY_MS = 1_000
/** Devices in one query. */
const PART = 5_000

/**
 * Reads all devices in use, and afterwards the changes that registry signals announce. A failed read is retried after
 * 1 s.
 */
export async function createDirectory(
  reader: DirectoryReader,
  signals: Pick<Signals, 'listen'>,
  clock: Pick<Clock, 'setTimeout'>,
  log: Log,
): Promise<DeviceDirectory> {
  const index = createDirectoryIndex()
  const pending = createPendingReads()
  const listeners = new Set<PlacedListener>()
  const loginListeners: ((devices: readonly DirectoryEntry[]) => void)[] = []
  const ordered = createOrderedDevices({ ...index, onPlaced })
  /** Resolve functions of the callers that wait for the next read. */
  let waiters: (() => void)[] = []
  let reading: Promise<void> | undefined
  let isRead = false

  function onPlaced(listener: PlacedListener): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function* below(paths: readonly string[]): Generator<DirectoryEntry> {
    const current = ordered.current()
    // Only a change of its place puts a device into the order anew.
    if (current) {
      for (const device of devicesBelow(current, paths)) yield index.findById(device.id) ?? device
      return
    }
    // The next calls are quick again.
    void ordered.read()
    const covers = createCover(paths)
    for (const entry of index.entries()) if (covers(entry.path)) yield entry
  }

  function notify({ placed, left, ended }: Difference): void {
    if (ended.length > 0) for (const listener of loginListeners) listener(ended)
    if (placed.length + left.length > 0) for (const listener of listeners) listener(placed, left)
  }

  async function readEverything(): Promise<void> {
    const seen = new Set<number>()
    for (let lastId = 0; ; ) {
      const page = await reader.readPage(lastId)
      const last = page.at(-1)
      if (!last) break
      lastId = last.id
      for (const { id } of page) seen.add(id)
      notify(index.put(page))
    }
    notify(index.retain(seen))
  }

  async function readDevices(ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += PART) {
      const part = ids.slice(start, start + PART)
      notify(index.replace(part, await reader.readDevices(part)))
    }
  }

  async function read({ everything, ids, paths }: RegistryReads): Promise<void> {
    if (everything) return readEverything()
    await readDevices(ids)
    for (const path of paths) await readDevices(await reader.listBelow(path))
  }

  async function refresh(): Promise<void> {
    for (let due = pending.take(); due; due = pending.take()) {
      // Only callers from before this read: under a steady stream of changes the loop may run for long.
      const waiting = waiters
      waiters = []
      try {
        await read(due)
      } catch (error) {
        pending.restore(due)
        throw error
      } finally {
        for (const resolve of waiting) resolve()
      }
    }
  }

  // One read at a time: later changes are read after it.
  function start(): void {
    reading ??= refresh()
      .catch((error: unknown) => {
        log.error({ err: error }, 'could not read the device directory, retrying')
        clock.setTimeout(start, RETRY_MS)
      })
      .finally(() => {
        reading = undefined
        // Callers that were added after the last read.
        if (waiters.length > 0) start()
      })
  }

  // Listen before the first read, so that no change is missed.
  signals.listen('registry_changed', (payload) => {
    pending.add(parseRegistryPayload(payload))
    if (isRead) start()
  })
  await readEverything()
  isRead = true
  start()
  await reading

  return {
    find: index.find,
    findById: index.findById,
    entries: index.entries,
    below,
    ordered,
    countBelow: (path, kinds) => (reading ? undefined : index.countBelow(path, kinds)),
    gatewayOf: ({ concentratorId, serial }) =>
      (concentratorId === undefined ? undefined : index.findById(concentratorId))?.serial ?? serial,
    onPlaced,
    readChanged(ids) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiters.push(resolve)
      pending.add({ kind: 'devices', ids })
      start()
      return promise
    },
    onLoginsEnded(listener) {
      loginListeners.push(listener)
    },
  }
}
