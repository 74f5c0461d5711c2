import type { DeviceKind } from '@isotherm/contract/devices'
import type { ConnectionTokenState, PasswordShown } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { tokenColumn } from './connection-token-store.pg.ts'
import { shownColumn } from './shown-passwords.pg.ts'

/** What decides whether a device signs in to the broker itself, and as whom. */
export interface Gateway {
  readonly kind: DeviceKind
  readonly name: string
  readonly companyId: number
  readonly serial: string
  /** Name of its company in topics. */
  readonly tenant: string
  /** Time zone of its company. */
  readonly timeZone: string
  readonly hasConcentrator: boolean
  readonly isRetired: boolean
  /** State of its password. */
  readonly loginVersion: number
  readonly isLoginRevoked: boolean
  /** Who saw its present password; null for nobody. */
  readonly shown: PasswordShown | null
  /** Its newest one-time token; null for none. */
  readonly token: ConnectionTokenState | null
}

/** A device as a gateway. Checks no scope: the caller was just allowed to name the device. */
export async function findGateway(db: Database, id: number): Promise<Gateway | undefined> {
  const { rows } = await sql<Gateway>`
    select device.kind, device.name, device.company_id as "companyId", device.serial, company.tenant,
      company.time_zone as "timeZone",
      device.concentrator_id is not null as "hasConcentrator", device.retired_at is not null as "isRetired",
      device.login_version as "loginVersion", device.login_revoked as "isLoginRevoked", ${shownColumn} as shown,
      ${tokenColumn} as token
    from device join company on company.id = device.company_id where device.id = ${id}`.execute(db)
  return rows[0]
}
