import type { DirectoryEntry, PlacedListener } from '../../devices/index.ts'

/** A heat meter that reports each quarter of an hour. */
export const testMeter: DirectoryEntry = {
  id: 7,
  path: '/1/d7/',
  tenant: 'demo',
  serial: 'm7',
  kind: 'heat-meter',
  concentratorId: 1,
  periodS: 900,
}

/** An in-memory directory of devices that can be moved. */
export function createTestDirectory(given: readonly DirectoryEntry[]) {
  let byId = new Map(given.map((device) => [device.id, device]))
  const listeners: PlacedListener[] = []
  return {
    entries: () => byId.values(),
    findById: (id: number) => byId.get(id),
    onPlaced(listener: PlacedListener) {
      listeners.push(listener)
      return () => undefined
    },
    /** Replaces all devices, and notifies listeners which of them are new or moved, and which left. */
    place(all: readonly DirectoryEntry[]): void {
      const before = byId
      byId = new Map(all.map((device) => [device.id, device]))
      const left = [...before.values()].filter(({ id, path }) => byId.get(id)?.path !== path)
      const placed = all.filter(({ id, path, concentratorId, periodS }) => {
        const known = before.get(id)
        return known?.path !== path || known.concentratorId !== concentratorId || known.periodS !== periodS
      })
      for (const listener of listeners) listener(placed, left)
    },
  }
}
