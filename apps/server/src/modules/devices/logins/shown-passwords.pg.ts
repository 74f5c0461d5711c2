import type { PasswordShown, PasswordWay } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** A password of a gateway: that of one rotation. */
export interface GatewayPassword {
  readonly companyId: number
  readonly serial: string
  readonly loginVersion: number
}

export interface Viewer {
  /** Account; empty for the device itself. */
  readonly account: string
  readonly way: PasswordWay
  /** Unix ms. */
  readonly at: number
}

/**
 * Records that passwords are shown, and returns those that nobody has seen before: only these may be shown. Of several calls
 * at the same moment one gets a password. Runs in the transaction that answers, so that a failed call shows nothing.
 */
export async function claimPasswords<Password extends GatewayPassword>(
  transaction: Database,
  passwords: readonly Password[],
  { account, way, at }: Viewer,
): Promise<ReadonlySet<Password>> {
  if (passwords.length === 0) return new Set()
  const byKey = new Map(passwords.map((password) => [`${password.companyId}/${password.serial}`, password]))
  const given = passwords.map(({ companyId, serial, loginVersion }) => ({
    company_id: companyId,
    serial,
    login_version: loginVersion,
  }))
  const { rows } = await sql<Pick<GatewayPassword, 'companyId' | 'serial'>>`
    insert into shown_password (company_id, serial, login_version, shown_at, account, way)
    select company_id, serial, login_version, ${new Date(at)}, ${account}, ${way}
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      given (company_id bigint, serial text, login_version int)
    order by company_id, serial
    on conflict (company_id, serial) do update set login_version = excluded.login_version,
      shown_at = excluded.shown_at, account = excluded.account, way = excluded.way
      where shown_password.login_version < excluded.login_version
    returning company_id as "companyId", serial`.execute(transaction)
  return new Set(rows.flatMap(({ companyId, serial }) => byKey.get(`${companyId}/${serial}`) ?? []))
}

/** Column `shown`: who saw the present password of `device`, or null. */
export const shownColumn: RawBuilder<PasswordShown | null> = sql`(
  select jsonb_build_object('at', (extract(epoch from shown_at) * 1000)::bigint, 'by', account, 'way', way)
  from shown_password where shown_password.company_id = device.company_id
    and shown_password.serial = device.serial and shown_password.login_version = device.login_version)`
