import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { restoreSecrets } from '@isotherm/contract/gateways/secrets'
import { resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockProfiles } from '../profiles/profile-store.pg.ts'
import { lockDevices } from '../registry/device-locks.pg.ts'
import { findConfig, storeConfig } from './config-store.pg.ts'
import { requireConfigurable } from './get-gateway.pg.ts'

/** A configuration with the profiles of the registry that its devices name. Its own profiles come first. */
export async function withProfiles(
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

export interface NewConfig {
  readonly id: number
  readonly version: number
  readonly config: GatewayConfig
}

/** Sets the configuration of a gateway and returns its version. Throws the errors of setGatewayConfig. */
export async function setConfig(
  transaction: Transaction<Tables>,
  caller: Caller,
  { id, version, config }: NewConfig,
): Promise<number> {
  const gateway = (await lockDevices(transaction, caller.scope, [id])).get(id)
  if (!gateway) throw new AppError('device.not-found')
  const serials = await requireConfigurable(transaction, caller, gateway)
  // A profile that is removed at the same time is found to be used, or is not found here.
  const stored = await findConfig(transaction, id)
  const secret = withSecrets(config, stored.config)
  requireDevices(await withProfiles(secret, (keys) => lockProfiles(transaction, keys)), serials)
  return storeConfig(transaction, gateway, { version, config: secret })
}
