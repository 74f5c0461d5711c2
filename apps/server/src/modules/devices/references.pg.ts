import { sql } from 'kysely'
import type { ReferencesOf, ReferenceValues } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isDeviceInScope } from '../../platform/scope/scope.pg.ts'
import { createCover } from '../../platform/scope/scope.ts'
import { findControlDevices } from './control/control-store.pg.ts'
import { findDeviceGroups } from './control/group-store.pg.ts'
import type { DeviceDirectory } from './directory/directory.ts'
import { countUnregistered } from './unregistered/unregistered-store.pg.ts'

const numbersOf = (values: ReferenceValues): number[] => values.filter((value) => typeof value === 'number')

type Name =
  | 'device'
  | 'imei'
  | 'control-device'
  | 'device-group'
  | 'device-model'
  | 'device-profile'
  | 'unregistered-device'

/** Checks of the devices, control devices, groups and models that a call names. */
export function createDevicesReferences(
  db: Database,
  directory: Pick<DeviceDirectory, 'findById'>,
): ReferencesOf<Name> {
  const isCounted = async (query: Promise<{ rows: readonly { count: number }[] }>, count: number) =>
    (await query).rows[0]?.count === count

  return {
    async device({ scope }, values) {
      // The directory answers for nearly all devices. Only devices it does not know yet are looked up in the database.
      const isCovered = scope.kind === 'all' ? () => true : createCover(scope.paths)
      const unknown = numbersOf(values).filter((id) => {
        const entry = directory.findById(id)
        return !entry || !isCovered(entry.path)
      })
      if (unknown.length === 0) return true
      const query = sql<{ count: number }>`
        select count(*) from device join node on node.id = device.node_id
        where device.id = any(${unknown}::bigint[]) and ${isDeviceInScope(scope)}`.execute(db)
      return isCounted(query, unknown.length)
    },

    async imei({ scope }, values) {
      const names = values.map(String)
      const lower = names.map((name) => name.toLowerCase())
      const query = sql<{ count: number }>`
        select count(distinct requested.name) from unnest(${names}::text[], ${lower}::text[]) requested (name, lower)
        join device on (lower(device.serial) collate "C" = requested.lower and device.serial = requested.name)
          or (lower(device.imei) collate "C" = requested.lower and device.imei = requested.name)
        join node on node.id = device.node_id and ${isDeviceInScope(scope)}`.execute(db)
      return isCounted(query, names.length)
    },

    async 'control-device'({ scope }, values, effect) {
      const found = await findControlDevices(db, scope, numbersOf(values))
      return (
        found.length === values.length && (effect === 'reads' || found.every(({ isGranted }) => isGranted))
      )
    },

    // A caller sees a group if one of its devices is granted, and changes it if all are granted.
    async 'device-group'(caller, values, effect) {
      const found = await findDeviceGroups(db, caller, numbersOf(values))
      return found.length === values.length && (effect === 'reads' || found.every(({ isWhole }) => isWhole))
    },

    'device-model': (_caller, values) => {
      const ids = numbersOf(values)
      const query = sql<{ count: number }>`
        select count(*) from device_model where id = any(${ids}::bigint[])`.execute(db)
      return isCounted(query, ids.length)
    },

    'unregistered-device': async ({ scope }, values) =>
      (await countUnregistered(db, scope, numbersOf(values))) === values.length,

    'device-profile': (_caller, values) => {
      const ids = numbersOf(values)
      const query = sql<{ count: number }>`
        select count(*) from device_profile where id = any(${ids}::bigint[])`.execute(db)
      return isCounted(query, ids.length)
    },
  }
}
