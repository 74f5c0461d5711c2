import { z } from 'zod'
import type { Signals } from '../../../platform/signals/signals.ts'

const structureChange = z.object({ companyId: z.number().int(), paths: z.array(z.string()) })

/**
 * A change of a company's tree. `paths` are the parents whose children changed ('/' for the projects); a parent may
 * no longer exist. No paths mean that anything may have changed.
 */
export interface StructureChange {
  readonly companyId: number
  readonly paths: readonly string[]
}

/** A signal has at most this many paths; a larger change is sent without paths. */
const MAX_PATHS = 50
/** PostgreSQL limits payloads to less than 8,000 bytes; paths are ASCII. */
const MAX_BYTES = 7_900

/** Returns the payload of a change, without paths if there are too many. */
export function toPayload({ companyId, paths }: StructureChange): string {
  const payload = JSON.stringify({ companyId, paths })
  if (paths.length <= MAX_PATHS && payload.length <= MAX_BYTES) return payload
  return JSON.stringify({ companyId, paths: [] })
}

/** Notifications of changes to the tree, from any replica. */
export const structureSignal = {
  /**
   * Calls `notify` for each change, and with undefined if changes may have been missed; then everything of every
   * company must be read again. Returns the function that unsubscribes.
   */
  listen(
    signals: Pick<Signals, 'listen'>,
    notify: (change: StructureChange | undefined) => void,
  ): () => void {
    return signals.listen('structure_changed', (payload) =>
      notify(payload === undefined ? undefined : structureChange.parse(JSON.parse(payload))),
    )
  },
}
