import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { gatewayConfigsEndpoints } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { hideSecrets, restoreSecrets } from '@isotherm/contract/gateways/secrets'
import { resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import { AppError } from '../../../platform/app-error.ts'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { requireManaging } from '../policy.ts'
import { listProfiles, lockProfiles } from '../profiles/profile-store.pg.ts'
import { lockDevices } from '../registry/device-locks.pg.ts'
import { findConfig, listChildren, storeConfig } from './config-store.pg.ts'
import { getGateway } from './get-gateway.pg.ts'

/** A configuration with the profiles of the registry that its devices name. Its own profiles come first. */
async function withProfiles(
  config: GatewayConfig,
  list: (keys: readonly string[]) => Promise<readonly { readonly profile: DeviceProfile }[]>,
): Promise<GatewayConfig> {
  const named = new Set(config.lines.flatMap(({ devices }) => devices.map(({ profile }) => profile)))
  for (const { id } of config.profiles) named.delete(id)
  const stored = await list([...named])
  const added = stored.flatMap(({ profile }) => (named.has(profile.id) ? [profile] : []))
  return { ...config, profiles: [...config.profiles, ...added] }
}

/** Every device belongs to the gateway, and its profile fits its line and address. Throws gateway-config errors. */
function requireDevices(config: GatewayConfig, children: ReadonlySet<string>): void {
  for (const { serial } of config.lines.flatMap(({ devices }) => devices))
    if (!children.has(serial)) throw new AppError('gateway-config.foreign-device', { device: serial })
  const [fault] = resolveGatewayConfig(config).faults
  if (fault) throw new AppError('gateway-config.wrong-device', { device: fault.serial })
}

/** A configuration with the stored secrets in place of hidden ones. Throws gateway-config.no-secret. */
function withSecrets(config: GatewayConfig, stored: GatewayConfig | null): GatewayConfig {
  const { config: restored, missing } = restoreSecrets(config, stored)
  const [line] = missing
  if (line !== undefined) throw new AppError('gateway-config.no-secret', { line })
  return gatewayConfig.parse(restored)
}

/** What gateways read and command. A gateway belongs to who is granted all of its devices. */
export const createGatewayConfigHandlers = (
  db: Database,
): HandlersOf<keyof typeof gatewayConfigsEndpoints> => ({
  async getGatewayConfig({ imei, tenant }, { caller }) {
    const gateway = await getGateway(db, caller.scope, { imei, tenant })
    requireManaging(caller, gateway.kind)
    const { version, config } = await findConfig(db, gateway.id)
    const whole = config && (await withProfiles(config, () => listProfiles(db)))
    // A gateway calls with an API key. Nobody else needs the secrets.
    const shown = whole && !caller.apiKey ? gatewayConfig.parse(hideSecrets(whole)) : whole
    return { id: gateway.id, version, config: shown }
  },

  setGatewayConfig: ({ id, version, config }, call) =>
    operate(db, call.operation, async (transaction) => {
      const { caller } = call
      const gateway = (await lockDevices(transaction, caller.scope, [id])).get(id)
      if (!gateway) throw new AppError('device.not-found')
      requireManaging(caller, gateway.kind)
      if (gateway.isRetired) throw new AppError('device.retired', { device: gateway.name })
      if (gateway.concentratorId !== null) throw new AppError('device.no-gateway', { device: gateway.name })
      const { serials, hasForeign } = await listChildren(transaction, caller.scope, id)
      if (hasForeign) throw new AppError('access.denied')
      // A profile that is removed at the same time is found to be used, or is not found here.
      const stored = await findConfig(transaction, id)
      const secret = withSecrets(config, stored.config)
      const whole = await withProfiles(secret, (keys) => lockProfiles(transaction, keys))
      requireDevices(whole, serials)
      return { id, version: await storeConfig(transaction, gateway, { version, config: secret }) }
    }),
})
