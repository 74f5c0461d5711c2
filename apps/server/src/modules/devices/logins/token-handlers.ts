import type { InputOf } from '@isotherm/contract/endpoint'
import type { makeConnectionToken } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { toMqttUsername } from '@isotherm/contract/mqtt'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { createToken } from '../../../platform/mqtt/gateway-access.ts'
import { toPorts } from '../../../platform/mqtt/to-ports.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { changeLogin } from './change-login.pg.ts'
import { storeToken, withdrawToken } from './connection-token-store.pg.ts'
import type { GatewayLoginsNeeds } from './gateway-logins.ts'
import { toShownError } from './shown-error.ts'
import { getTarget, type Target } from './token-target.pg.ts'

/** Gives a registered gateway a password that nobody sees before the gateway gets it. */
async function renewPassword(
  transaction: Transaction<Tables>,
  call: Pick<Call, 'caller'>,
  { id }: Pick<Target, 'id'>,
): Promise<void> {
  if (id === undefined) return
  const device = transaction.selectFrom('device').select(['id', 'version']).where('id', '=', id)
  await changeLogin(transaction, call, await device.executeTakeFirstOrThrow(), 'rotate')
}

/** Makes and withdraws one-time tokens. */
export const createTokenHandlers = (
  needs: GatewayLoginsNeeds,
): HandlersOf<'makeConnectionToken' | 'withdrawConnectionToken'> => ({
  async makeConnectionToken({ hours, renew, ...named }: InputOf<typeof makeConnectionToken>, call) {
    if (!needs.broker.isEmbedded) throw new AppError('device.no-tokens')
    const { id, ...made } = await operate(needs.db, call.operation, async (transaction) => {
      const within = { ...needs, db: transaction }
      if (renew) await renewPassword(transaction, call, await getTarget(within, call.caller, named))
      const target = await getTarget(within, call.caller, named)
      if (target.isLoginRevoked) throw new AppError('device.login-revoked', { device: target.name })
      if (target.shown) throw toShownError(target)
      const { account, at } = call.operation
      const [token, expiresAt] = [createToken(), at + hours * HOUR_MS]
      await storeToken(transaction, target, { token, account, at, expiresAt })
      return { id: target.id, username: toMqttUsername(target.tenant, target.serial), token, expiresAt }
    })
    if (renew && id !== undefined) await needs.directory.readChanged([id])
    return { ...made, ...toPorts(needs.broker) }
  },

  async withdrawConnectionToken(named, call) {
    const { tenant, serial, wasOpen } = await operate(needs.db, call.operation, async (transaction) => {
      const target = await getTarget({ ...needs, db: transaction }, call.caller, named)
      return { ...target, wasOpen: await withdrawToken(transaction, target, call.operation.at) }
    })
    needs.broker.disconnectToken?.({ tenant, gateway: serial })
    return { wasOpen }
  },
})
