import type { GatewayName } from '@isotherm/contract/mqtt'
import { sql } from 'kysely'
import { type Cell, servesTenant } from '../../../platform/cell/cell.ts'
import type { GatewayAccess } from '../../../platform/mqtt/gateway-access.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DeviceDirectory } from '../directory/directory.ts'

interface Row {
  readonly version: number
  readonly isRevoked: boolean
  readonly isRetired: boolean
  readonly certificatesFrom: Date | null
  readonly hasConcentrator: boolean
}

/** Version of the password of a device that is not in the registry: higher than any that was withdrawn before its removal. */
export async function findRemovedVersion(db: Database, { tenant, gateway }: GatewayName): Promise<number> {
  const { rows } = await sql<Pick<Row, 'version'>>`
    select login_version as version from removed_login join company on company.id = removed_login.company_id
    where company.tenant = ${tenant} and removed_login.serial = ${gateway}`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Finds whether a gateway may sign in, and with which version of its password. The directory knows the devices in use;
 * only another name is looked up in the database, so thousands of gateways can reconnect at once.
 */
export function createFindAccess(
  db: Database,
  directory: Pick<DeviceDirectory, 'find'>,
  cell: Cell | undefined,
) {
  return async ({ tenant, gateway }: GatewayName): Promise<GatewayAccess> => {
    if (!servesTenant(cell, tenant)) return { state: 'elsewhere', version: 0 }
    const entry = directory.find(tenant, gateway)
    if (entry) {
      const { version = 0, isRevoked = false, certificatesFrom } = entry.login ?? {}
      const hasConcentrator = entry.concentratorId !== undefined
      return { state: isRevoked ? 'revoked' : 'in-use', version, certificatesFrom, hasConcentrator }
    }
    const { rows } = await sql<Row>`
      select login_version as version, login_revoked as "isRevoked", retired_at is not null as "isRetired",
        certificates_from as "certificatesFrom", concentrator_id is not null as "hasConcentrator"
      from device join company on company.id = device.company_id
      where company.tenant = ${tenant} and device.serial = ${gateway}`.execute(db)
    const [row] = rows
    if (!row) return { state: 'unknown', version: await findRemovedVersion(db, { tenant, gateway }) }
    const state = row.isRetired ? 'retired' : row.isRevoked ? 'revoked' : 'in-use'
    const { version, hasConcentrator } = row
    return { state, version, certificatesFrom: row.certificatesFrom?.getTime(), hasConcentrator }
  }
}
