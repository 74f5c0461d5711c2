import type { DeviceKind } from '@isotherm/contract/devices'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
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
    select device.id, device.kind, device.name, company.tenant, device.serial,
      device.concentrator_id as "concentratorId"
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
