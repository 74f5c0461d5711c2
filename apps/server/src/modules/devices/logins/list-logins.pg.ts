import type { DeviceKind } from '@isotherm/contract/devices'
import type { PasswordShown } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { shownColumn } from './shown-passwords.pg.ts'

export interface ListedGateway {
  readonly id: number
  readonly companyId: number
  readonly tenant: string
  readonly serial: string
  readonly name: string
  readonly loginVersion: number
  /** Who saw its present password; null for nobody. */
  readonly shown: PasswordShown | null
}

export interface LoginsQuery {
  readonly scope: Scope
  readonly paths: readonly string[]
  readonly kinds: readonly DeviceKind[]
  readonly limit: number
}

/** Gateways in use below the paths whose passwords hold, by company and serial. */
export async function listLogins(
  db: Database,
  { scope, paths, kinds, limit }: LoginsQuery,
): Promise<readonly ListedGateway[]> {
  const { rows } = await sql<ListedGateway>`
    select device.id, device.company_id as "companyId", company.tenant, device.serial, device.name,
      device.login_version as "loginVersion", ${shownColumn} as shown
    from device join company on company.id = device.company_id join node on node.id = device.node_id
    where device.concentrator_id is null and device.retired_at is null and not device.login_revoked
      and device.kind = any(${[...kinds]}::text[]) and ${isDeviceInScope(scope)} and ${isDeviceBelow(paths)}
    order by company.tenant, device.serial limit ${limit}`.execute(db)
  return rows
}
