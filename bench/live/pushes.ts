import type { DeviceState } from '@isotherm/contract/devices'
import type { LiveEvent } from '@isotherm/contract/live'

/** Distinguishes pushed changes from the first answer to a watcher, which contains values of any age. */
export interface Pushes {
  /** Rows of a message that are pushed: none of one that belongs to the first answer. */
  read(text: string): readonly DeviceState[]
  /** Whether the first answer has come to its end, so that what comes now is pushed. */
  isFirstWhole(): boolean
}

/**
 * For one subscription. Only the first part of the first answer says `full`, and others follow; a client that holds all of
 * the cursor shows it, because it stays at 0 until all older values are sent.
 */
export function createPushes(): Pushes {
  let isWhole = false
  return {
    read(text) {
      // Only states are looked at, and not by their schema: the watchers must keep up with what is measured.
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
