import { sql } from 'kysely'
import type { ReferencesOf } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isDeviceInScope } from '../../platform/scope/scope.pg.ts'
import { countVisibleHolds } from './holds/holds.pg.ts'
import { countVisibleBatches } from './orders/batches.pg.ts'

/** Checks references to commands, batches and holds: they must belong to devices in the caller's scope. */
export function createCommandsReferences(db: Database): ReferencesOf<'command' | 'command-batch' | 'hold'> {
  return {
    async command({ scope }, values) {
      const ids = values.filter((value) => typeof value === 'string')
      const { rows } = await sql<{ count: number }>`
        select count(*) from command join device on device.id = command.device_id
        join node on node.id = device.node_id
        where command.id = any(${ids}::text[]) and ${isDeviceInScope(scope)}`.execute(db)
      return rows[0]?.count === values.length
    },
    async hold({ scope }, values) {
      const ids = values.filter((value) => typeof value === 'number')
      return (await countVisibleHolds(db, scope, ids)) === values.length
    },
    // Reading a batch requires one of its devices in scope; changing it requires all of them.
    async 'command-batch'({ scope }, values, effect) {
      const ids = values.filter((value) => typeof value === 'string')
      return (await countVisibleBatches(db, scope, ids, effect === 'changes')) === values.length
    },
  }
}
