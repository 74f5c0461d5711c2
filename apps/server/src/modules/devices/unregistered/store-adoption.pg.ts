import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { adoptDevice } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { type FieldLine, fieldLine, type GatewayConfig } from '@isotherm/contract/gateway-config'
import { guessByProfiles } from '@isotherm/profiles/guess-device'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockControlledNode } from '../control/control-places.pg.ts'
import { findConfig } from '../gateways/config-store.pg.ts'
import { setConfig } from '../gateways/set-config.pg.ts'
import { requireManaging } from '../policy.ts'
import { lockProfiles } from '../profiles/profile-store.pg.ts'
import { addDevice } from '../registry/add-device.pg.ts'
import { lockDevices } from '../registry/device-locks.pg.ts'
import {
  findGatewayOf,
  forgetUnregistered,
  lockUnregistered,
  type UnregisteredPlace,
} from './unregistered-store.pg.ts'

type Adoption = InputOf<typeof adoptDevice>

/** Digits of an address, as a configuration has them. */
const ADDRESS = /^[0-9A-Fa-f]{1,16}$/
/** Address of a device whose profile reads properties: it has none on a bus. */
const NO_ADDRESS = '1'

async function getProfile(transaction: Transaction<Tables>, key: string): Promise<DeviceProfile | undefined> {
  const [stored] = await lockProfiles(transaction, [key])
  return stored?.profile ?? shippedProfiles.find(({ id }) => id === key)
}

/** The device as its line has it: at the address that its frame names, else at the one under which it was received. */
function toFieldDevice(
  line: FieldLine,
  { address, said }: UnregisteredPlace,
  serial: string,
  profile: DeviceProfile,
) {
  const own = guessByProfiles(said, line.driver, [profile]).address
  const known = own ?? (ADDRESS.test(address) ? address : NO_ADDRESS)
  const isNamed = line.driver === 'northbound-http'
  return { serial, address: known, profile: profile.id, ...(isNamed && { platformId: address }) }
}

/** The configuration with a device more on a line. */
function addToLine(config: GatewayConfig, line: FieldLine, device: object): GatewayConfig {
  const changed = fieldLine.parse({ ...line, devices: [...line.devices, device] })
  return { ...config, lines: config.lines.map((each) => (each === line ? changed : each)) }
}

async function adoptOnLine(
  transaction: Transaction<Tables>,
  { caller }: Pick<Call, 'caller'>,
  unregistered: UnregisteredPlace,
  { imei: serial, profile: key = '' }: Adoption,
): Promise<void> {
  const { version, config } = await findConfig(transaction, unregistered.gatewayId)
  const line = config?.lines.find(({ id }) => id === unregistered.line)
  if (!config || !line) throw new AppError('unregistered-device.no-line', { line: unregistered.line })
  const profile = config.profiles.find(({ id }) => id === key) ?? (await getProfile(transaction, key))
  if (!profile) throw new AppError('gateway-config.wrong-device', { device: serial })
  const changed = addToLine(config, line, toFieldDevice(line, unregistered, serial, profile))
  await setConfig(transaction, caller, { id: unregistered.gatewayId, version, config: changed })
}

/**
 * Registers a device that was received, in place of its entry in the list, and adds it to its line. Returns its id. Throws the errors of
 * adoptDevice.
 */
export async function storeAdoption(
  transaction: Transaction<Tables>,
  call: Pick<Call, 'caller'>,
  adoption: Adoption,
): Promise<number> {
  const gatewayId = await findGatewayOf(transaction, adoption.id)
  if (gatewayId === undefined) throw new AppError('unregistered-device.not-found')
  // In the order of all others: place, gateway, entry. The removal of a gateway locks it before its entries.
  await lockControlledNode(transaction, call.caller.scope, adoption.node)
  const gateway = (await lockDevices(transaction, call.caller.scope, [gatewayId])).get(gatewayId)
  const unregistered = await lockUnregistered(transaction, adoption.id)
  if (!gateway || !unregistered) throw new AppError('unregistered-device.not-found')
  requireManaging(call.caller, gateway.kind)
  if (gateway.isRetired) throw new AppError('device.retired', { device: gateway.name })
  if (unregistered.via === 'unit')
    throw new AppError('unregistered-device.no-line', { line: unregistered.address })
  const { profile: _, ...device } = adoption
  const id = await addDevice(transaction, call, { ...device, concentratorId: unregistered.gatewayId })
  if (unregistered.via === 'line') await adoptOnLine(transaction, call, unregistered, adoption)
  await forgetUnregistered(transaction, unregistered.id)
  return id
}
