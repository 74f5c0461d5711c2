import { deviceKind } from '@isotherm/contract/devices'
import {
  type GatewayLogin,
  type gatewayLoginsEndpoints,
  MAX_EXPORTED_LOGINS,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { toDownTopic, toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { AppError } from '../../../platform/app-error.ts'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { toGatewayPassword } from '../../../platform/mqtt/gateway-access.ts'
import { operate, recordOperation } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { NetworkService } from '../../network/index.ts'
import { mayManage, requireManaging } from '../policy.ts'
import { changeLogin } from './change-login.pg.ts'
import { findGateway, type Gateway } from './find-gateway.pg.ts'
import { listLogins } from './list-logins.pg.ts'
import { listRefusals } from './refusal-store.pg.ts'

export interface GatewayLoginsNeeds {
  readonly db: Database
  /** Key from which the passwords derive. */
  readonly secret: string
  readonly broker: { readonly port: number | undefined }
  readonly network: Pick<NetworkService, 'resolveNodes'>
}

/** A topic of the gateway up to its channel. */
const toPrefix = (topic: string): string => topic.slice(0, topic.lastIndexOf('/'))

function toLogin(
  { tenant, serial, loginVersion }: Pick<Gateway, 'tenant' | 'serial' | 'loginVersion'>,
  { secret, broker }: GatewayLoginsNeeds,
): GatewayLogin {
  const username = toMqttUsername(tenant, serial)
  return {
    clientId: username,
    username,
    password: toGatewayPassword(secret, { tenant, gateway: serial }, loginVersion),
    upTopic: toPrefix(toUpTopic(tenant, serial, 'telemetry')),
    downTopic: toPrefix(toDownTopic(tenant, serial, 'cmd')),
    ...(broker.port === undefined ? {} : { port: broker.port }),
  }
}

/** Shows the credentials of a gateway to users who may change it, and records who saw them. */
export const createGatewayLoginHandlers = (
  needs: GatewayLoginsNeeds,
): HandlersOf<keyof typeof gatewayLoginsEndpoints> => ({
  async showGatewayLogin({ id }, { caller, operation }) {
    const gateway = await findGateway(needs.db, id)
    if (!gateway) throw new AppError('device.not-found')
    const { kind, name, hasConcentrator, isRetired } = gateway
    requireManaging(caller, kind)
    if (isRetired) throw new AppError('device.retired', { device: name })
    if (hasConcentrator) throw new AppError('device.no-gateway', { device: name })
    if (gateway.isLoginRevoked) throw new AppError('device.login-revoked', { device: name })
    await recordOperation(needs.db, operation, 'ok')
    return toLogin(gateway, needs)
  },

  rotateGatewayLogin: (item, call) =>
    operate(needs.db, call.operation, async (transaction) => {
      await changeLogin(transaction, call, item, 'rotate')
      const gateway = await findGateway(transaction, item.id)
      if (!gateway) throw new AppError('device.not-found')
      return toLogin(gateway, needs)
    }),

  revokeGatewayLogin: (item, call) =>
    operate(needs.db, call.operation, async (transaction) => {
      await changeLogin(transaction, call, item, 'revoke')
      return { id: item.id }
    }),

  async exportGatewayLogins({ nodes }, { caller, operation }) {
    const paths = await needs.network.resolveNodes(caller.scope, nodes)
    const kinds = deviceKind.options.filter((kind) => mayManage(caller, kind))
    const limit = MAX_EXPORTED_LOGINS
    const found = await listLogins(needs.db, { scope: caller.scope, paths, kinds, limit: limit + 1 })
    if (found.length > limit) throw new AppError('transfer.too-many-rows', { rows: found.length, limit })
    await recordOperation(needs.db, operation, 'ok')
    return {
      datalist: found.map((gateway) => {
        const { port: _, ...login } = toLogin(gateway, needs)
        return { ...login, id: gateway.id, name: gateway.name, serial: gateway.serial }
      }),
    }
  },

  getGatewayRefusals: (query, { caller }) => listRefusals(needs.db, caller, query),
})
