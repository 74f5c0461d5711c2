import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'

/** Replacements that are followed back from one device. */
const MAX_DEPTH = 20

interface Row extends Omit<EarlierDevice, 'from' | 'to'> {
  readonly from: Date | null
  readonly to: Date
}

/** The devices of the scope that were replaced by those of `ids`, directly or in turn. A part begins where the one before ends. */
export async function listReplaced(
  db: Database,
  scope: Scope,
  ids: readonly number[],
): Promise<EarlierDevice[]> {
  const { rows } = await sql<Row>`
    with recursive line (of, id, depth) as (
      select replaced_by_id, id, 1 from device where replaced_by_id = any(${[...ids]}::bigint[])
      union all
      select line.of, device.id, line.depth + 1 from line join device on device.replaced_by_id = line.id
      where line.depth < ${MAX_DEPTH})
    select line.of, device.id as "deviceId", device.serial as imei, device.model, device.retired_at as to,
      (select max(retired_at) from device before where before.replaced_by_id = device.id) as from
    from line join device on device.id = line.id join node on node.id = device.node_id
    where ${isDeviceInScope(scope)}`.execute(db)
  return rows.map(({ from, to, ...row }) => ({
    ...row,
    ...(from && { from: from.getTime() }),
    to: to.getTime(),
  }))
}
