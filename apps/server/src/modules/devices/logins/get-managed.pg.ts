import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { requireManaging } from '../policy.ts'
import { findGateway, type Gateway } from './find-gateway.pg.ts'

/** The gateway, if the caller may manage it and it is in use. Throws the errors of getGatewayLogin. */
export async function getManaged(db: Database, caller: Caller, id: number): Promise<Gateway> {
  const gateway = await findGateway(db, id)
  if (!gateway) throw new AppError('device.not-found')
  const { kind, name, hasConcentrator, isRetired } = gateway
  requireManaging(caller, kind)
  if (isRetired) throw new AppError('device.retired', { device: name })
  if (hasConcentrator) throw new AppError('device.no-gateway', { device: name })
  return gateway
}
