import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  PasswordShown,
  withdrawConnectionToken,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { NetworkService } from '../../network/index.ts'
import { requireManaging } from '../policy.ts'
import { findShown, type TokenOwner, type TokenTarget } from './connection-token-store.pg.ts'
import { findRemovedVersion } from './find-access.pg.ts'
import { getManaged } from './get-managed.pg.ts'

interface TargetNeeds {
  readonly db: Database
  readonly network: Pick<NetworkService, 'resolveNodes'>
}

export interface Target extends TokenTarget {
  readonly tenant: string
  /** Time zone of its company. */
  readonly timeZone: string
  /** Name of the device, or its serial if it is not registered. */
  readonly name: string
  /** Absent if the serial is not registered. */
  readonly id?: number
  readonly isLoginRevoked: boolean
  /** Who saw its present password; null for nobody. */
  readonly shown: PasswordShown | null
}

type Company = Pick<Target, 'companyId' | 'tenant' | 'timeZone'>

/** The company of a project that the caller sees as a whole. Throws node.not-found and access.denied. */
async function getCompany({ db, network }: TargetNeeds, caller: Caller, node: string): Promise<Company> {
  const [path = ''] = await network.resolveNodes(caller.scope, [node])
  const [, project] = /^\/(\d+)\/$/.exec(path) ?? []
  if (project === undefined) throw new AppError('access.denied')
  const { rows } = await sql<Company>`
    select company.id as "companyId", company.tenant, company.time_zone as "timeZone"
    from node join company on company.id = node.company_id
    where node.id = ${project}`.execute(db)
  if (!rows[0]) throw new AppError('node.not-found')
  return rows[0]
}

interface Known {
  readonly id: number
  readonly isInScope: boolean
}

/** The device of a serial, and whether the caller may see it: the company may have projects that the caller may not see. */
async function findKnown(
  db: Database,
  { scope }: Caller,
  { companyId, serial }: TokenOwner,
): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select device.id, ${isDeviceInScope(scope)} as "isInScope" from device join node on node.id = device.node_id
    where device.company_id = ${companyId} and device.serial = ${serial}`.execute(db)
  return rows[0]
}

/**
 * An unregistered serial can be registered in any project of the company later, so who makes its token must see them all.
 * Throws access.denied.
 */
async function requireWholeCompany(db: Database, { scope }: Caller, companyId: number): Promise<void> {
  const { rows } = await sql`
    select from node where company_id = ${companyId} and path = '/' || id || '/'
      and not ${isInScope('path', scope)} limit 1`.execute(db)
  if (rows.length > 0) throw new AppError('access.denied')
}

async function toUnregistered(db: Database, company: Company, serial: string): Promise<Target> {
  const loginVersion = await findRemovedVersion(db, { tenant: company.tenant, gateway: serial })
  const password = { companyId: company.companyId, serial, loginVersion }
  const shown = await findShown(db, password)
  return { ...company, ...password, name: serial, isLoginRevoked: false, shown }
}

/** The gateway of a token, whether it is registered or not. Throws the errors of withdrawConnectionToken. */
export async function getTarget(
  needs: TargetNeeds,
  caller: Caller,
  { id, serial, node }: InputOf<typeof withdrawConnectionToken>,
): Promise<Target> {
  if (id !== undefined) {
    return { ...(await getManaged(needs.db, caller, id)), id }
  }
  if (serial === undefined || node === undefined) {
    throw new AppError('request.malformed', { detail: 'id, or serial and node, are needed' })
  }
  requireManaging(caller, 'concentrator')
  const company = await getCompany(needs, caller, node)
  const known = await findKnown(needs.db, caller, { companyId: company.companyId, serial })
  if (!known) {
    await requireWholeCompany(needs.db, caller, company.companyId)
    return toUnregistered(needs.db, company, serial)
  }
  if (!known.isInScope) throw new AppError('device.not-found')
  return getTarget(needs, caller, { id: known.id })
}
