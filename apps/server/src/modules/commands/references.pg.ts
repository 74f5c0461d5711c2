import { sql } from 'kysely'
import type { ReferencesOf } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isDeviceInScope } from '../../platform/scope/scope.pg.ts'
import { countSeenHolds } from './holds/holds.pg.ts'
import { countSeenBatches } from './orders/batches.pg.ts'

/** What calls may name of the commands: those to devices of the caller's part of the tree. */
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
      return (await countSeenHolds(db, scope, ids)) === values.length
    },
    // A batch is shown to whom any of its devices is; it is changed by who is granted all of them.
    async 'command-batch'({ scope }, values, effect) {
      const ids = values.filter((value) => typeof value === 'string')
      return (await countSeenBatches(db, scope, ids, effect === 'changes')) === values.length
    },
  }
}
