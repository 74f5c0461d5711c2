import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { toStale } from '../../../platform/operation/lock-version.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { describeChange } from './describe-change.ts'

/** A stored configuration. */
export interface StoredConfig {
  /** Undefined if there is none. */
  readonly id?: number
  readonly version: number
  readonly config: GatewayConfig | null
}

/** The configuration of a gateway; version 0 without one. Checks no scope. */
export async function findConfig(db: Database, deviceId: number): Promise<StoredConfig> {
  const row = await db
    .selectFrom('gateway_config')
    .select(['id', 'version', 'config'])
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return row
    ? { id: row.id, version: row.version, config: gatewayConfig.parse(row.config) }
    : { version: 0, config: null }
}

/** Serials of the devices in use behind a gateway, and whether some of them are outside of the scope. */
export async function listChildren(
  db: Database,
  scope: Scope,
  gatewayId: number,
): Promise<{ readonly serials: ReadonlySet<string>; readonly hasForeign: boolean }> {
  const { rows } = await sql<{ serial: string; isGranted: boolean }>`
    select device.serial, ${isDeviceInScope(scope)} as "isGranted"
    from device join node on node.id = device.node_id
    where device.concentrator_id = ${gatewayId} and device.retired_at is null`.execute(db)
  return {
    serials: new Set(rows.map(({ serial }) => serial)),
    hasForeign: rows.some(({ isGranted }) => !isGranted),
  }
}

/** Stores a configuration that is based on `version`. The gateway's row is locked. Throws entity.stale. */
export async function storeConfig(
  transaction: Transaction<Tables>,
  gateway: { readonly id: number; readonly companyId: number },
  { version, config }: { readonly version: number; readonly config: GatewayConfig },
): Promise<number> {
  const present = await transaction
    .selectFrom('gateway_config')
    .select(['id', 'version', 'config'])
    .where('device_id', '=', gateway.id)
    .executeTakeFirst()
  if ((present?.version ?? 0) !== version) {
    throw await toStale(transaction, {
      table: 'gateway_config',
      entity: 'gateway-config',
      id: present?.id ?? 0,
      version,
    })
  }
  const text = JSON.stringify(config)
  const lastChange = describeChange(present ? gatewayConfig.parse(present.config) : null, config)
  const lines = config.lines.length
  const devices = config.lines.reduce((sum, line) => sum + line.devices.length, 0)
  // The operation log records columns that differ, and two changes can have the same text.
  if (present)
    await transaction
      .updateTable('gateway_config')
      .set({ last_change: '' })
      .where('id', '=', present.id)
      .execute()
  const { rows } = await sql<{ version: number }>`
    insert into gateway_config (company_id, device_id, config, line_count, device_count, last_change)
    values (${gateway.companyId}, ${gateway.id}, ${text}::jsonb, ${lines}, ${devices}, ${lastChange})
    on conflict (device_id) do update set config = excluded.config, line_count = excluded.line_count,
      device_count = excluded.device_count, last_change = excluded.last_change
    returning version`.execute(transaction)
  const [stored] = rows
  if (!stored) throw new AppError('device.not-found')
  return stored.version
}
