import type { BirthMessage } from '@isotherm/contract/mqtt'
import type { DirectoryEntry } from '../devices/index.ts'

/** Which nodes said that they are there. */
export interface Presence {
  note(node: DirectoryEntry, birth: BirthMessage): void
  /** What the node said last of its link; undefined when it said nothing since the server started. */
  findLink(nodeId: number): 'online' | 'offline' | undefined
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
    findLink(nodeId) {
      const birth = births.get(nodeId)
      if (!birth) return undefined
      return birth.online ? 'online' : 'offline'
    },
    timeFactor: () => timeFactor,
  }
}
