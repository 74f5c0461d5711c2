import type { DirectoryEntry, PlacedListener } from '../../devices/index.ts'

/** A directory of these devices, in memory, which may come to stand elsewhere. */
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
    /** These are all devices from now on; who listens is told which of them came or moved, and which are there no more. */
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
