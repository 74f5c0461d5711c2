import type { BirthMessage } from '@isotherm/contract/mqtt'
import type { Config } from '../../../platform/config.ts'
import type { DirectoryEntry } from '../../devices/index.ts'

/** What nodes say of themselves when they come and go. */
export interface Births {
  note(node: DirectoryEntry, birth: BirthMessage): void
  /** How much faster the simulated field's time runs; undefined with a real one, whatever its nodes say. */
  timeFactor(): number | undefined
}

export function createBirths(
  mode: Config['mode'],
  noted: (node: DirectoryEntry, birth: BirthMessage) => void,
): Births {
  let timeFactor: number | undefined
  return {
    note(node, birth) {
      if (mode === 'demo') timeFactor = birth.timeFactor ?? timeFactor
      noted(node, birth)
    },
    timeFactor: () => timeFactor,
  }
}
