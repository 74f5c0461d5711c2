import { z } from 'zod'
import type { Signals } from '../../../platform/signals/signals.ts'

const structureChange = z.object({ companyId: z.number().int(), paths: z.array(z.string()) })

/**
 * What changed in a company's tree. `paths` are those of the parents whose children changed ('/' for the
 * projects); a parent may itself be gone by now. None at all means that anything may have changed.
 */
export interface StructureChange {
  readonly companyId: number
  readonly paths: readonly string[]
}

/** A signal names at most so many parents; more are told as "everything". */
const MOST_PATHS = 50
/** PostgreSQL takes payloads below 8,000 bytes; paths are ASCII. */
const MOST_BYTES = 7_900

/** The payload of a change; one that names too many parents becomes "everything". */
export function toPayload({ companyId, paths }: StructureChange): string {
  const payload = JSON.stringify({ companyId, paths })
  if (paths.length <= MOST_PATHS && payload.length <= MOST_BYTES) return payload
  return JSON.stringify({ companyId, paths: [] })
}

/** News of changes to the tree, from whichever replica made them. */
export const structureSignal = {
  /**
   * Calls `heard` for each change, and with `undefined` when changes may have been missed: then everything
   * of every company is to be read anew. Returns how to stop.
   */
  listen(signals: Pick<Signals, 'listen'>, heard: (change: StructureChange | undefined) => void): () => void {
    return signals.listen('structure_changed', (payload) =>
      heard(payload === undefined ? undefined : structureChange.parse(JSON.parse(payload))),
    )
  },
}
