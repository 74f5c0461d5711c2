import type { BirthMessage } from '@isotherm/contract/mqtt'
import type { DirectoryEntry } from '../devices/index.ts'

/** Which nodes said that they are there. */
export interface Presence {
  note(node: DirectoryEntry, birth: BirthMessage): void
  isOnline(nodeId: number): boolean
  /** How much faster the simulated field's time runs; undefined with a real one. */
  timeFactor(): number | undefined
}

export function createPresence(noted: (node: DirectoryEntry) => void): Presence {
  const births = new Map<number, BirthMessage>()
  let timeFactor: number | undefined
  return {
    note(node, birth) {
      births.set(node.id, birth)
      timeFactor = birth.timeFactor ?? timeFactor
      noted(node)
    },
    isOnline: (nodeId) => births.get(nodeId)?.online ?? false,
    timeFactor: () => timeFactor,
  }
}
