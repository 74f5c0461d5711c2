import { deviceKind } from '@isotherm/contract/devices'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type {
  GatewayRefusal,
  getGatewayRefusals,
  RefusalReason,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { type SqlBool, sql } from 'kysely'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'
import { seesEverything } from '../../../platform/scope/scope.ts'
import { mayManage } from '../policy.ts'

/** Refusals of one gateway for one reason since they were last stored. */
export interface NewRefusals {
  readonly tenant: string
  readonly serial: string
  readonly reason: RefusalReason
  /** Of the last one. */
  readonly user: string
  readonly topic: string
  readonly address: string
  readonly count: number
  /** Unix ms. */
  readonly firstAt: number
  readonly lastAt: number
}

/** Maximum number of stored rows. Beyond it, rows of unknown devices are deleted first, then the oldest. */
const MAX_ROWS = 5_000

export async function storeRefusals(db: Database, refusals: readonly NewRefusals[]): Promise<void> {
  await sql`
    insert into gateway_refusal (tenant, serial, reason, username, topic, address, count, first_at, last_at)
    select tenant, serial, reason, username, topic, address, count,
      to_timestamp(first_ms / 1000.0), to_timestamp(last_ms / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(
      refusals.map(({ user, firstAt, lastAt, ...rest }) => ({
        ...rest,
        username: user,
        first_ms: firstAt,
        last_ms: lastAt,
      })),
    )}::jsonb) given (tenant text, serial text, reason text, username text, topic text, address text,
      count bigint, first_ms bigint, last_ms bigint)
    order by tenant, serial, reason
    on conflict (tenant, serial, reason) do update set count = gateway_refusal.count + excluded.count,
      username = excluded.username, topic = excluded.topic, address = excluded.address,
      last_at = greatest(gateway_refusal.last_at, excluded.last_at)`.execute(db)
  await sql`
    delete from gateway_refusal where id in (
      select refusal.id from gateway_refusal refusal
        left join company on company.tenant = refusal.tenant
        left join device on device.company_id = company.id and device.serial = refusal.serial
      order by device.id is null, refusal.last_at desc, refusal.id offset ${MAX_ROWS})`.execute(db)
}

/** Deletes refusals that ended before an instant (Unix ms). */
export async function removeRefusals(db: Database, before: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from gateway_refusal where id in (
      select id from gateway_refusal where last_at < ${new Date(before)} limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

interface Row extends Omit<GatewayRefusal, 'deviceId' | 'name' | 'topic' | 'firstAt' | 'lastAt'> {
  readonly deviceId: number | null
  readonly name: string | null
  readonly topic: string
  readonly firstAt: Date
  readonly lastAt: Date
  readonly total: number
}

/**
 * Condition that a caller sees a refusal: of a registered device, if they may manage it; of an unknown one, if they have the
 * whole company that its tenant names.
 */
function isVisible(caller: Caller) {
  const kinds = deviceKind.options.filter((kind) => mayManage(caller, kind))
  const ofGranted = sql<SqlBool>`exists (select from node project where project.company_id = company.id
    and project.path = '/' || project.id || '/' and ${isInScope('project.path', caller.scope)})`
  // Callers who see everything also see companies without a project, and tenants that no company has.
  const ofServed = sql<SqlBool>`(company.id is null or ${isServed('company.id')})`
  const unknown = seesEverything(caller.scope) ? ofServed : ofGranted
  return sql<SqlBool>`case when device.id is null then ${unknown}
    else device.kind = any(${kinds}::text[]) and ${isDeviceInScope(caller.scope)} end`
}

export async function listRefusals(
  db: Database,
  caller: Caller,
  { deviceId, limiter: { page, size } }: InputOf<typeof getGatewayRefusals>,
): Promise<OutputOf<typeof getGatewayRefusals>> {
  const { rows } = await sql<Row>`
    select refusal.id, device.id as "deviceId", device.name, refusal.username as "user", refusal.serial,
      refusal.reason, refusal.topic, refusal.address, refusal.count, refusal.first_at as "firstAt",
      refusal.last_at as "lastAt", count(*) over () as total
    from gateway_refusal refusal
      left join company on company.tenant = refusal.tenant
      left join device on device.company_id = company.id and device.serial = refusal.serial
      left join node on node.id = device.node_id
    where ${isVisible(caller)} and (${deviceId ?? null}::bigint is null or device.id = ${deviceId ?? null}::bigint)
    order by refusal.last_at desc, refusal.id desc limit ${size} offset ${(page - 1) * size}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    datalist: rows.map(({ total: _, deviceId: id, name, topic, firstAt, lastAt, ...row }) => ({
      ...row,
      firstAt: firstAt.getTime(),
      lastAt: lastAt.getTime(),
      ...(id === null ? {} : { deviceId: id }),
      ...(name === null ? {} : { name }),
      ...(topic === '' ? {} : { topic }),
    })),
  }
}
