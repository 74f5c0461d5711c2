import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type {
  UnregisteredDevice,
  unregisteredDevicesEndpoints,
} from '@isotherm/contract/endpoints/devices/unregistered-devices'
import type { FieldLine } from '@isotherm/contract/gateway-config'
import { type Guessed, guessByMetrics, guessByProfiles } from '@isotherm/profiles/guess-device'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DeviceDirectory } from '../directory/directory.ts'
import type { DevicesService } from '../lists/service.ts'
import { withAbilities } from '../policy.ts'
import { listProfiles } from '../profiles/profile-store.pg.ts'
import { storeAdoption } from './store-adoption.pg.ts'
import {
  listLineDrivers,
  listOwnProfiles,
  listUnregistered,
  type UnregisteredRow,
} from './unregistered-store.pg.ts'

/**
 * What the device probably is. The device of another company stays unknown to the caller. A device that is not on a
 * line is guessed by the metrics it sent.
 */
function guess(
  { via, said, isForeign }: UnregisteredRow,
  driver: FieldLine['driver'] | undefined,
  profiles: readonly DeviceProfile[],
): Guessed {
  if (isForeign) return guessByMetrics({})
  if (via === 'line') return guessByProfiles(said, driver, profiles)
  return guessByMetrics(said.m ?? {})
}

function toUnregisteredDevice(row: UnregisteredRow, guessed: Guessed): UnregisteredDevice {
  const { total: _, said, isForeign, firstAt, lastAt, ...rest } = row
  return {
    ...rest,
    firstAt: firstAt.getTime(),
    lastAt: lastAt.getTime(),
    values: [...guessed.values],
    ...(said.hex === undefined || isForeign ? {} : { hex: said.hex }),
    ...(guessed.guess === undefined ? {} : { guess: guessed.guess }),
  }
}

/** Unregistered devices that send data: their list, and their registration. */
export const createUnregisteredHandlers = (
  db: Database,
  devices: Pick<DevicesService, 'getDevice'>,
  directory: Pick<DeviceDirectory, 'readChanged'>,
): HandlersOf<keyof typeof unregisteredDevicesEndpoints> => ({
  async getUnregisteredDevices(query, { caller }) {
    const rows = await listUnregistered(db, caller, query)
    const gatewayIds = [...new Set(rows.map(({ gatewayId }) => gatewayId))]
    const findDriver = await listLineDrivers(db, gatewayIds)
    const findOwn = await listOwnProfiles(db, gatewayIds)
    const common = [...shippedProfiles, ...(await listProfiles(db)).map(({ profile }) => profile)]
    const datalist = rows.map((row) => {
      // A profile in the gateway's own configuration replaces a common one with the same id, as in the gateway itself.
      const own = findOwn(row.gatewayId)
      const ids = new Set(own.map(({ id }) => id))
      const profiles = [...own, ...common.filter(({ id }) => !ids.has(id))]
      return toUnregisteredDevice(row, guess(row, findDriver(row.gatewayId, row.line), profiles))
    })
    return { datalist, total: rows[0]?.total ?? 0 }
  },

  async adoptDevice(adoption, call) {
    const id = await operate(db, call.operation, (transaction) => storeAdoption(transaction, call, adoption))
    await directory.readChanged([id])
    return withAbilities(call.caller, await devices.getDevice(call.caller.scope, id))
  },
})
