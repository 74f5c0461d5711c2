import type {
  GatewayLogin,
  gatewayLoginsEndpoints,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { toDownTopic, toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { AppError } from '../../../platform/app-error.ts'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { toGatewayPassword } from '../../../platform/mqtt/gateway-access.ts'
import { recordOperation } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { requireManaging } from '../policy.ts'
import { findGateway } from './find-gateway.pg.ts'

export interface GatewayLoginsNeeds {
  readonly db: Database
  /** Key from which the passwords derive. */
  readonly secret: string
  readonly broker: { readonly port: number | undefined }
}

/** A topic of the gateway up to its channel. */
const toPrefix = (topic: string): string => topic.slice(0, topic.lastIndexOf('/'))

function toLogin(tenant: string, serial: string, { secret, broker }: GatewayLoginsNeeds): GatewayLogin {
  const username = toMqttUsername(tenant, serial)
  return {
    clientId: serial,
    username,
    password: toGatewayPassword(secret, username),
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
    const { kind, name, serial, tenant, hasConcentrator, isRetired } = gateway
    requireManaging(caller, kind)
    if (isRetired) throw new AppError('device.retired', { device: name })
    if (hasConcentrator) throw new AppError('device.no-gateway', { device: name })
    await recordOperation(needs.db, operation, 'ok')
    return toLogin(tenant, serial, needs)
  },
})
