import type { DeviceState } from '@isotherm/contract/devices'
import type { LiveEvent } from '@isotherm/contract/live'

/** Separates pushed changes from the first answer to a watcher, which contains values of any age. */
export interface Pushes {
  /** Pushed rows of a message; empty for a message of the first answer. */
  read(text: string): readonly DeviceState[]
  /** Whether the first answer is complete. All later rows are pushes. */
  isFirstAnswerComplete(): boolean
}

/**
 * Creates the state of one subscription. The first answer has several parts; only the first part has `full`. The cursor
 * stays at 0 until all parts are sent.
 */
export function createPushes(): Pushes {
  let isWhole = false
  return {
    read(text) {
      // Skips other messages and parses without a schema, so that the watchers are fast enough.
      if (!text.startsWith('{"type":"states"')) return []
      const event: LiveEvent = JSON.parse(text)
      if (event.type !== 'states') return []
      const isPushed = isWhole && !event.full
      isWhole = event.cursor.version > 0
      return isPushed ? event.rows : []
    },
    isFirstAnswerComplete: () => isWhole,
  }
}
