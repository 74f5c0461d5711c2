import type { DeviceKind } from '@isotherm/contract/devices'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { requireManaging } from '../policy.ts'
import { listChildren } from './config-store.pg.ts'

/** A gateway as a caller names it. */
export interface NamedGateway {
  /** Its serial or IMEI. */
  readonly imei: string
  /** Its company; needed where the scope has several gateways with this serial. */
  readonly tenant?: string | undefined
}

export interface FoundGateway {
  readonly id: number
  readonly kind: DeviceKind
  readonly name: string
  readonly tenant: string
  readonly serial: string
  readonly concentratorId: number | null
}

/** What decides whether a caller may configure a gateway. */
export interface GatewayFacts extends Pick<FoundGateway, 'id' | 'kind' | 'name' | 'concentratorId'> {
  readonly isRetired: boolean
}

const columns = sql`device.id, device.kind, device.name, company.tenant, device.serial,
  device.concentrator_id as "concentratorId", device.retired_at is not null as "isRetired"`

/**
 * Checks that a caller may configure a gateway of the scope: with all devices behind it. Returns their serials. Throws access.denied,
 * device.retired, device.no-gateway.
 */
export async function requireConfigurable(
  db: Database,
  caller: Caller,
  gateway: GatewayFacts,
): Promise<ReadonlySet<string>> {
  requireManaging(caller, gateway.kind)
  if (gateway.isRetired) throw new AppError('device.retired', { device: gateway.name })
  if (gateway.concentratorId !== null) throw new AppError('device.no-gateway', { device: gateway.name })
  const { serials, hasForeign } = await listChildren(db, caller.scope, gateway.id)
  if (hasForeign) throw new AppError('access.denied')
  return serials
}

/** A gateway that the caller may configure. Throws device.not-found, device.no-gateway, device.retired, access.denied. */
export async function getConfigurable(db: Database, caller: Caller, id: number): Promise<FoundGateway> {
  const { rows } = await sql<FoundGateway & GatewayFacts>`
    select ${columns}
    from device join company on company.id = device.company_id join node on node.id = device.node_id
    where device.id = ${id} and ${isDeviceInScope(caller.scope)}`.execute(db)
  const [gateway] = rows
  if (!gateway) throw new AppError('device.not-found')
  await requireConfigurable(db, caller, gateway)
  return gateway
}

/** Checks that a caller may read a stored configuration, by its number in the operation log. Throws access.denied. */
export async function requireReadableConfig(db: Database, caller: Caller, configId: string): Promise<void> {
  const { rows } = await sql<Pick<GatewayFacts, 'id' | 'kind'>>`
    select device.id, device.kind
    from gateway_config join device on device.id = gateway_config.device_id
      join node on node.id = device.node_id
    where gateway_config.id::text = ${configId} and ${isDeviceInScope(caller.scope)}`.execute(db)
  const [gateway] = rows
  if (!gateway) throw new AppError('access.denied')
  requireManaging(caller, gateway.kind)
  if ((await listChildren(db, caller.scope, gateway.id)).hasForeign) throw new AppError('access.denied')
}

/**
 * A gateway in use that belongs to the scope: with all devices behind it. Throws device.not-found, device.no-gateway, and
 * access.denied if some of its devices are outside of the scope.
 */
export async function getGateway(
  db: Database,
  scope: Scope,
  { imei, tenant }: NamedGateway,
): Promise<FoundGateway> {
  const { rows } = await sql<FoundGateway>`
    select ${columns}
    from device join company on company.id = device.company_id join node on node.id = device.node_id
    where (device.serial = ${imei} or device.imei = ${imei}) and device.retired_at is null
      and (${tenant ?? null}::text is null or company.tenant = ${tenant ?? null}) and ${isDeviceInScope(scope)}
    limit 2`.execute(db)
  const [gateway] = rows
  if (!gateway || rows.length > 1) throw new AppError('device.not-found')
  if (gateway.concentratorId !== null) throw new AppError('device.no-gateway', { device: gateway.name })
  const { hasForeign } = await listChildren(db, scope, gateway.id)
  if (hasForeign) throw new AppError('access.denied')
  return gateway
}
