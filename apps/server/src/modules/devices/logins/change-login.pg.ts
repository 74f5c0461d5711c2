import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { requireManaging } from '../policy.ts'
import { type Item, lockDevices, requireVersions } from '../registry/device-locks.pg.ts'

/**
 * Rotates or revokes the password of a gateway. A revocation also ends its present certificates. All servers follow the signal: they refuse the old password and
 * disconnect the gateway. Throws the errors of rotateGatewayLogin.
 */
export async function changeLogin(
  transaction: Transaction<Tables>,
  { caller }: Pick<Call, 'caller'>,
  item: Item,
  change: 'rotate' | 'revoke',
): Promise<void> {
  const locked = await lockDevices(transaction, caller.scope, [item.id])
  const [device] = await requireVersions(transaction, locked, [item])
  if (!device) throw new AppError('device.not-found')
  requireManaging(caller, device.kind)
  if (device.isRetired) throw new AppError('device.retired', { device: device.name })
  if (device.concentratorId !== null) throw new AppError('device.no-gateway', { device: device.name })
  const isRotated = change === 'rotate'
  await sql`
    update device set login_version = login_version + ${isRotated ? 1 : 0}, login_revoked = ${!isRotated},
      certificates_from = case when ${isRotated} then certificates_from else now() end
    where id = ${item.id}`.execute(transaction)
  await signalRegistry(transaction, { kind: 'devices', ids: [item.id] })
}
