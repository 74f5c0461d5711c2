import type { gatewayConfigsEndpoints } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { gatewayConfig } from '@isotherm/contract/gateway-config'
import { hideSecrets } from '@isotherm/contract/gateways/secrets'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { requireManaging } from '../policy.ts'
import { listProfiles } from '../profiles/profile-store.pg.ts'
import { findConfig } from './config-store.pg.ts'
import { getGateway } from './get-gateway.pg.ts'
import { setConfig, withProfiles } from './set-config.pg.ts'

/** What gateways read and command. A gateway belongs to who is granted all of its devices. */
export const createGatewayConfigHandlers = (
  db: Database,
): HandlersOf<keyof typeof gatewayConfigsEndpoints> => ({
  async getGatewayConfig({ imei, tenant }, { caller }) {
    const gateway = await getGateway(db, caller.scope, { imei, tenant })
    requireManaging(caller, gateway.kind)
    const { id: configId, version, config } = await findConfig(db, gateway.id)
    const common = { id: gateway.id, version, ...(configId !== undefined && { configId }) }
    if (!config) return { ...common, config }
    // A gateway calls with an API key. Nobody else needs the secrets, and what people get can be set again.
    if (!caller.apiKey) return { ...common, config: gatewayConfig.parse(hideSecrets(config)) }
    return { ...common, config: await withProfiles(config, () => listProfiles(db)) }
  },

  setGatewayConfig: (given, call) =>
    operate(db, call.operation, async (transaction) => ({
      id: given.id,
      version: await setConfig(transaction, call.caller, given),
    })),
})
