import type { DeviceKind } from '@isotherm/contract/devices'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { parseRegistryPayload } from '../../../platform/signals/registry-signal.ts'
import type { Signals } from '../../../platform/signals/signals.ts'
import { createDirectoryIndex, type Difference } from './directory-index.ts'
import { createPendingReads, type RegistryReads } from './pending-reads.ts'

/** One device in use as ingest, commands and the live hub need it, without asking the database. */
export interface DirectoryEntry {
  readonly id: number
  readonly tenant: string
  readonly serial: string
  readonly kind: DeviceKind
  /** Its path, see platform/scope.ts. */
  readonly path: string
  /** Device it speaks through; absent when it has its own link. */
  readonly concentratorId: number | undefined
  readonly periodS: number
}

export type PlacedListener = (placed: readonly DirectoryEntry[], left: readonly DirectoryEntry[]) => void

/** Every device in use, in memory, kept up with the registry of all replicas. */
export interface DeviceDirectory {
  find(tenant: string, serial: string): DirectoryEntry | undefined
  findById(id: number): DirectoryEntry | undefined
  /** All of them, in no order. A device that changes gets a new entry; the others keep theirs. */
  entries(): Iterable<DirectoryEntry>
  /**
   * Devices in use of some kinds below a path, without looking at them; undefined while the directory is behind
   * the registry, and for a path so low that they are better counted.
   */
  countBelow(path: string, kinds: readonly DeviceKind[]): number | undefined
  /** Serial of the MQTT client behind which a device is: its concentrator's or its own. */
  nodeOf(entry: DirectoryEntry): string
  /**
   * Calls `heard` with the devices that are new, stand elsewhere, or speak through another device or in another
   * period, and with those that were moved, retired or removed as they stood before, whenever there are any of
   * either. Returns how to stop.
   */
  onPlaced(heard: PlacedListener): () => void
}

/** How the directory reads the registry: a part at a time, so that no second copy of it is ever held. */
export interface DirectoryReader {
  /** At most so many devices after `afterId`, in order of their ids; the last part is empty. */
  readPage(afterId: number): Promise<readonly DirectoryEntry[]>
  /** Those of `ids` that are in use. */
  readDevices(ids: readonly number[]): Promise<readonly DirectoryEntry[]>
  /** Ids of the devices in use below a path. */
  listBelow(path: string): Promise<readonly number[]>
}

const RETRY_MS = 1_000
/** Devices read at once. */
const PART = 5_000

/**
 * Reads the directory, and afterwards what the registry's signals say has changed; a reading that fails is
 * tried again.
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
  let reading: Promise<void> | undefined
  let isRead = false

  function tell({ placed, left }: Difference): void {
    if (placed.length + left.length > 0) for (const heard of listeners) heard(placed, left)
  }

  async function readEverything(): Promise<void> {
    const seen = new Set<number>()
    for (let lastId = 0; ; ) {
      const page = await reader.readPage(lastId)
      const last = page.at(-1)
      if (!last) break
      lastId = last.id
      for (const { id } of page) seen.add(id)
      tell(index.put(page))
    }
    tell(index.keepOnly(seen))
  }

  async function readDevices(ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += PART) {
      const part = ids.slice(start, start + PART)
      tell(index.replace(part, await reader.readDevices(part)))
    }
  }

  async function read({ everything, ids, paths }: RegistryReads): Promise<void> {
    if (everything) return readEverything()
    await readDevices(ids)
    for (const path of paths) await readDevices(await reader.listBelow(path))
  }

  async function refresh(): Promise<void> {
    for (let due = pending.take(); due; due = pending.take()) {
      try {
        await read(due)
      } catch (error) {
        pending.giveBack(due)
        throw error
      }
    }
  }

  // One reading at a time: what changes meanwhile is read after it.
  function start(): void {
    reading ??= refresh()
      .catch((error: unknown) => {
        log.error({ err: error }, 'could not read the device directory, trying again')
        clock.setTimeout(start, RETRY_MS)
      })
      .finally(() => {
        reading = undefined
      })
  }

  // Before the first reading, so that no change falls between the two.
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
    countBelow: (path, kinds) => (reading ? undefined : index.countBelow(path, kinds)),
    nodeOf: ({ concentratorId, serial }) =>
      (concentratorId === undefined ? undefined : index.findById(concentratorId))?.serial ?? serial,
    onPlaced(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
  }
}
