import { sql, type Transaction } from 'kysely'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { StoredDevice } from '../lists/device-query.ts'

/** The devices without the concentrators that the scope does not cover. */
export async function hideForeignConcentrators(
  transaction: Transaction<Tables>,
  scope: Scope,
  devices: readonly StoredDevice[],
): Promise<readonly StoredDevice[]> {
  const named = [...new Set(devices.flatMap(({ concentratorId }) => concentratorId ?? []))]
  if (scope.kind === 'all' || named.length === 0) return devices
  const { rows } = await sql<{ id: number }>`
    select device.id from device join node on node.id = device.node_id
    where device.id = any(${named}::bigint[]) and ${isDeviceInScope(scope)}`.execute(transaction)
  const seen = new Set(rows.map(({ id }) => id))
  return devices.map((device) => {
    const { concentrator: _, concentratorId, ...rest } = device
    return concentratorId === undefined || seen.has(concentratorId) ? device : rest
  })
}
