import { createHash } from 'node:crypto'
import type { ConnectionTokenState, PasswordShown } from '@isotherm/contract/endpoints/devices/gateway-logins'
import type { GatewayName } from '@isotherm/contract/mqtt'
import { type RawBuilder, sql } from 'kysely'
import type { TokenAttempt } from '../../../platform/mqtt/broker-port.ts'
import type { TokenRefusal } from '../../../platform/mqtt/gateway-access.ts'
import { recordOperation } from '../../../platform/operation/operate.pg.ts'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { claimPasswords } from './shown-passwords.pg.ts'

/** A serial in its company. */
export interface TokenOwner {
  readonly companyId: number
  readonly serial: string
}

/** What a token is made for: the present password of a serial. */
export interface TokenTarget extends TokenOwner {
  readonly loginVersion: number
}

const toHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Who saw a password; null for nobody. The serial may be unregistered. */
export async function findShown(
  db: Database,
  { companyId, serial, loginVersion }: TokenTarget,
): Promise<PasswordShown | null> {
  const { rows } = await sql<PasswordShown>`
    select (extract(epoch from shown_at) * 1000)::float8 as at, account as by, way from shown_password
    where company_id = ${companyId} and serial = ${serial} and login_version = ${loginVersion}`.execute(db)
  return rows[0] ?? null
}

/** Stores a new token, in place of an earlier one. Instants are Unix ms. */
export async function storeToken(
  db: Database,
  { companyId, serial, loginVersion }: TokenTarget,
  given: {
    readonly token: string
    readonly account: string
    readonly at: number
    readonly expiresAt: number
  },
): Promise<void> {
  await sql`
    insert into connection_token (company_id, serial, login_version, token_hash, account, made_at, expires_at)
    values (${companyId}, ${serial}, ${loginVersion}, ${toHash(given.token)}, ${given.account},
      ${new Date(given.at)}, ${new Date(given.expiresAt)})
    on conflict (company_id, serial) do update set login_version = excluded.login_version,
      token_hash = excluded.token_hash, account = excluded.account, made_at = excluded.made_at,
      expires_at = excluded.expires_at, used_at = null, used_from = null, spent_at = null, withdrawn_at = null`.execute(
    db,
  )
}

/** Makes the token of a serial void; returns whether one was open. Its row stays: it says whether and from where it was used. */
export async function withdrawToken(
  db: Database,
  { companyId, serial }: TokenOwner,
  at: number,
): Promise<boolean> {
  const { rows } = await sql<{ wasOpen: boolean }>`
    update connection_token set withdrawn_at = ${new Date(at)}
    where company_id = ${companyId} and serial = ${serial} and withdrawn_at is null
    returning spent_at is null and expires_at > ${new Date(at)} as "wasOpen"`.execute(db)
  return rows[0]?.wasOpen ?? false
}

interface TokenRow extends TokenOwner {
  /** Withdrawn, or made for an earlier password. */
  readonly isWithdrawn: boolean
  readonly isUsed: boolean
  readonly isSpent: boolean
  readonly isExpired: boolean
}

/** Signs a gateway in with its token. Its password then counts as shown to the device. */
export async function redeemToken(
  transaction: Database,
  { tenant, gateway, token, version, address }: TokenAttempt,
  at: number,
): Promise<TokenRefusal | undefined> {
  const { rows } = await sql<TokenRow>`
    select company_id as "companyId", serial, used_at is not null as "isUsed", spent_at is not null as "isSpent",
      withdrawn_at is not null or login_version <> ${version} as "isWithdrawn",
      expires_at <= ${new Date(at)} as "isExpired"
    from connection_token join company on company.id = connection_token.company_id
    where company.tenant = ${tenant} and serial = ${gateway} and token_hash = ${toHash(token)}
    for update of connection_token`.execute(transaction)
  const [row] = rows
  if (!row || row.isWithdrawn) return 'wrong-token'
  if (row.isSpent) return 'spent-token'
  if (row.isExpired) return 'expired-token'
  const { companyId } = row
  if (!row.isUsed) {
    const password = { companyId, serial: gateway, loginVersion: version }
    const claimed = await claimPasswords(transaction, [password], { account: '', way: 'device', at })
    // Somebody saw the password after the token was made. Nobody sees it twice.
    if (!claimed.has(password)) return 'wrong-token'
    const operation = { ...toSystemOperation('connection-token', at), companyId, address }
    await recordOperation(transaction, { ...operation, input: { serial: gateway } }, 'ok')
  }
  await sql`
    update connection_token set used_at = coalesce(used_at, ${new Date(at)}), used_from = ${address}
    where company_id = ${companyId} and serial = ${gateway}`.execute(transaction)
  return undefined
}

/** A sign-in of a gateway with its password. */
export interface SignIn extends GatewayName {
  /** Unix ms. */
  readonly at: number
}

/**
 * Makes tokens void whose gateways signed in with their passwords after they used them. A sign-in before the use is no evidence:
 * it can be recorded after it.
 */
export async function spendTokens(db: Database, signIns: readonly SignIn[]): Promise<void> {
  await sql`
    update connection_token set spent_at = to_timestamp(given.at / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(signIns)}::jsonb) given (tenant text, gateway text, at bigint)
      join company on company.tenant = given.tenant
    where connection_token.company_id = company.id and connection_token.serial = given.gateway
      and used_at <= to_timestamp(given.at / 1000.0) and spent_at is null`.execute(db)
}

/** Column `token`: state of the newest token of `device`, or null. */
export const tokenColumn: RawBuilder<ConnectionTokenState | null> = sql`(
  select jsonb_strip_nulls(jsonb_build_object('madeAt', (extract(epoch from made_at) * 1000)::bigint, 'by', account,
    'expiresAt', (extract(epoch from expires_at) * 1000)::bigint,
    'usedAt', (extract(epoch from used_at) * 1000)::bigint, 'usedFrom', used_from,
    'spentAt', (extract(epoch from spent_at) * 1000)::bigint,
    'withdrawnAt', (extract(epoch from withdrawn_at) * 1000)::bigint))
  from connection_token where connection_token.company_id = device.company_id
    and connection_token.serial = device.serial)`
