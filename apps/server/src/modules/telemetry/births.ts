import type { BirthMessage } from '@isotherm/contract/mqtt'
import type { DirectoryEntry } from '../devices/index.ts'

/** What nodes say of themselves when they come and go. */
export interface Births {
  note(node: DirectoryEntry, birth: BirthMessage): void
  /** How much faster the simulated field's time runs; undefined with a real one. */
  timeFactor(): number | undefined
}

export function createBirths(noted: (node: DirectoryEntry, birth: BirthMessage) => void): Births {
  let timeFactor: number | undefined
  return {
    note(node, birth) {
      timeFactor = birth.timeFactor ?? timeFactor
      noted(node, birth)
    },
    timeFactor: () => timeFactor,
  }
}
