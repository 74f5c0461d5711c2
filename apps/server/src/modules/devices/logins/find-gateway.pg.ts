import type { DeviceKind } from '@isotherm/contract/devices'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** What decides whether a device signs in to the broker itself, and as whom. */
export interface Gateway {
  readonly kind: DeviceKind
  readonly name: string
  readonly serial: string
  /** Name of its company in topics. */
  readonly tenant: string
  readonly hasConcentrator: boolean
  readonly isRetired: boolean
  /** State of its password. */
  readonly loginVersion: number
  readonly isLoginRevoked: boolean
}

/** A device as a gateway. Checks no scope: the caller was just allowed to name the device. */
export async function findGateway(db: Database, id: number): Promise<Gateway | undefined> {
  const { rows } = await sql<Gateway>`
    select device.kind, device.name, device.serial, company.tenant,
      device.concentrator_id is not null as "hasConcentrator", device.retired_at is not null as "isRetired",
      device.login_version as "loginVersion", device.login_revoked as "isLoginRevoked"
    from device join company on company.id = device.company_id where device.id = ${id}`.execute(db)
  return rows[0]
}
