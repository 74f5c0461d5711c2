import type { DeviceState } from '@isotherm/contract/devices'
import type { LiveEvent } from '@isotherm/contract/live'

/** Distinguishes pushed changes from the first answer to a watcher, which contains values of any age. */
export interface Pushes {
  /** Pushed rows of a message; none for a message of the first answer. */
  read(text: string): readonly DeviceState[]
  /** Whether the first answer is complete, so that further rows are pushed. */
  isFirstWhole(): boolean
}

/**
 * For one subscription. Only the first part of the first answer has `full`; other parts follow. The cursor shows when it is
 * complete, because it stays at 0 until all older values are sent.
 */
export function createPushes(): Pushes {
  let isWhole = false
  return {
    read(text) {
      // Parses only states and without their schema, so that the watchers are fast enough.
      if (!text.startsWith('{"type":"states"')) return []
      const event: LiveEvent = JSON.parse(text)
      if (event.type !== 'states') return []
      const isPushed = isWhole && !event.full
      isWhole = event.cursor.version > 0
      return isPushed ? event.rows : []
    },
    isFirstWhole: () => isWhole,
  }
}
