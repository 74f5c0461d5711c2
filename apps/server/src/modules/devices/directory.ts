import type { DeviceKind } from '@isotherm/contract/devices'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Signals } from '../../platform/signals.ts'

/** One device as ingest, commands and the live hub need it, without asking the database. */
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

/** Every device in memory, kept up with the registry of all replicas. */
export interface DeviceDirectory {
  find(tenant: string, serial: string): DirectoryEntry | undefined
  findById(id: number): DirectoryEntry | undefined
  /** All of them, in no order. */
  entries(): Iterable<DirectoryEntry>
  /** Serial of the MQTT client behind which a device is: its concentrator's or its own. */
  nodeOf(entry: DirectoryEntry): string
  /**
   * Calls `heard` with the devices that are new or stand elsewhere, and with those that were moved or removed as
   * they stood before, whenever there are any of either. Returns how to stop.
   */
  onPlaced(heard: PlacedListener): () => void
}

interface Snapshot {
  readonly byId: ReadonlyMap<number, DirectoryEntry>
  readonly byName: ReadonlyMap<string, DirectoryEntry>
}

/** Neither part contains a slash (contract mqtt.ts). */
const toName = (tenant: string, serial: string): string => `${tenant}/${serial}`

const toSnapshot = (entries: readonly DirectoryEntry[]): Snapshot => ({
  byId: new Map(entries.map((entry) => [entry.id, entry])),
  byName: new Map(entries.map((entry) => [toName(entry.tenant, entry.serial), entry])),
})

/** The entries of one reading that are not in the other, or on another node there. */
const findDifferent = ({ byId }: Snapshot, other: Snapshot): readonly DirectoryEntry[] =>
  [...byId.values()].filter((entry) => other.byId.get(entry.id)?.path !== entry.path)

const RETRY_MS = 1_000

/** Reads the directory and reads it anew whenever the registry changed; a reading that fails is tried again. */
export async function createDirectory(
  read: () => Promise<readonly DirectoryEntry[]>,
  signals: Signals,
  clock: Pick<Clock, 'setTimeout'>,
  log: Log,
): Promise<DeviceDirectory> {
  let snapshot = toSnapshot([])
  let reading: Promise<void> | undefined
  let changedAgain = false
  const listeners = new Set<PlacedListener>()

  async function refresh(): Promise<void> {
    do {
      changedAgain = false
      const before = snapshot
      snapshot = toSnapshot(await read())
      const placed = findDifferent(snapshot, before)
      const left = findDifferent(before, snapshot)
      if (placed.length + left.length > 0) for (const heard of listeners) heard(placed, left)
    } while (changedAgain)
  }

  // One reading at a time: changes during it ask for one more after it.
  function onChange(): void {
    if (reading) {
      changedAgain = true
      return
    }
    reading = refresh()
      .catch((error: unknown) => {
        log.error({ err: error }, 'could not read the device directory, trying again')
        clock.setTimeout(onChange, RETRY_MS)
      })
      .finally(() => {
        reading = undefined
      })
  }
  // Before the first reading, so that no change falls between the two.
  signals.listen('registry_changed', onChange)
  await refresh()

  return {
    find: (tenant, serial) => snapshot.byName.get(toName(tenant, serial)),
    findById: (id) => snapshot.byId.get(id),
    entries: () => snapshot.byId.values(),
    nodeOf: (entry) =>
      (entry.concentratorId === undefined ? undefined : snapshot.byId.get(entry.concentratorId))?.serial ??
      entry.serial,
    onPlaced(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
  }
}
