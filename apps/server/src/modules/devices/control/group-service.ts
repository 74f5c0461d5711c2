import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  DeviceGroup,
  deleteCtlGroup,
  getCtlGroup,
  insertCtlGroup,
  updateCtlGroup,
} from '@isotherm/contract/endpoints/devices/device-groups'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockDevices } from './control-places.pg.ts'
import { toGroupAbilities } from './control-policy.ts'
import {
  changeDeviceGroup,
  findDeviceGroups,
  findGroupValves,
  getCompanyOfGroup,
  insertDeviceGroup,
  listDeviceGroups,
  removeDeviceGroups,
  type StoredDeviceGroup,
  setGroupDevices,
} from './group-store.pg.ts'

/**
 * Device groups: free sets of devices across the tree. Only a caller who is granted all devices of a group changes
 * it.
 */
export interface DeviceGroupsService {
  list(
    caller: Caller,
    query: InputOf<typeof getCtlGroup>,
  ): Promise<{ datalist: DeviceGroup[]; total: number }>
  add(call: Call, added: InputOf<typeof insertCtlGroup>): Promise<DeviceGroup>
  change(call: Call, changed: InputOf<typeof updateCtlGroup>): Promise<DeviceGroup>
  /** Removes all of them or none; returns their ids. */
  remove(call: Call, items: InputOf<typeof deleteCtlGroup>['items']): Promise<number[]>
  /** The valves of a group. Throws device-group.not-found unless the caller is granted all of its devices. */
  getValves(
    caller: Caller,
    id: number,
  ): Promise<{ readonly name: string; readonly valveIds: readonly number[] }>
}

const fieldsByConstraint = { device_group_company_id_name_key: 'name' } as const

const withAbilities = (caller: Caller, { isWhole, ...stored }: StoredDeviceGroup): DeviceGroup => ({
  ...stored,
  abilities: toGroupAbilities(caller, { isWhole, valveCount: stored.valveCount }),
})

/** Locks the devices and returns their company. Throws device.not-found and device-group.several-companies. */
async function lockCompany(
  transaction: Transaction<Tables>,
  { scope }: Caller,
  deviceIds: readonly number[],
): Promise<number> {
  const devices = await lockDevices(transaction, scope, deviceIds)
  const [companyId, ...others] = new Set([...devices.values()].map((device) => device.companyId))
  if (companyId === undefined || others.length > 0) throw new AppError('device-group.several-companies')
  return companyId
}

/** Locks a group as the caller saw it. Throws device-group.not-found or entity.stale. */
async function lockGroup(
  transaction: Transaction<Tables>,
  caller: Caller,
  { id, version }: { readonly id: number; readonly version: number },
): Promise<void> {
  const target = { table: 'device_group', entity: 'device-group', id, version } as const
  const isThere = await lockVersion(transaction, target)
  const [group] = isThere ? await findDeviceGroups(transaction, caller, [id]) : []
  if (!group?.isWhole) throw new AppError('device-group.not-found')
}

export function createDeviceGroupsService(db: Database): DeviceGroupsService {
  async function readOne(caller: Caller, id: number): Promise<DeviceGroup> {
    const [stored] = await findDeviceGroups(db, caller, [id])
    // Another user has removed it meanwhile.
    if (!stored) throw new AppError('device-group.not-found')
    return withAbilities(caller, stored)
  }

  return {
    async list(caller, query) {
      const { rows, total } = await listDeviceGroups(db, caller, query)
      return { datalist: rows.map((row) => withAbilities(caller, row)), total }
    },

    async add({ caller, operation }, { name, description, deviceIds }) {
      const adding = operate(db, operation, async (transaction) => {
        const companyId = await lockCompany(transaction, caller, deviceIds)
        const id = await insertDeviceGroup(transaction, { companyId, name, description })
        await setGroupDevices(transaction, { id, companyId }, deviceIds)
        return id
      })
      return readOne(caller, await refuseDuplicates(fieldsByConstraint, adding))
    },

    async change({ caller, operation }, { id, version, deviceIds, ...changed }) {
      const changing = operate(db, operation, async (transaction) => {
        await lockGroup(transaction, caller, { id, version })
        if (deviceIds) {
          const companyId = await getCompanyOfGroup(transaction, id)
          if ((await lockCompany(transaction, caller, deviceIds)) !== companyId) {
            throw new AppError('device.not-found')
          }
          await setGroupDevices(transaction, { id, companyId }, deviceIds)
        }
        await changeDeviceGroup(transaction, id, changed)
      })
      await refuseDuplicates(fieldsByConstraint, changing)
      return readOne(caller, id)
    },

    remove: ({ caller, operation }, items) =>
      operate(db, operation, async (transaction) => {
        const inOrder = items.toSorted((left, right) => left.id - right.id)
        for (const item of inOrder) await lockGroup(transaction, caller, item)
        const ids = items.map(({ id }) => id)
        await removeDeviceGroups(transaction, ids)
        return ids
      }),

    async getValves(caller, id) {
      const found = await findGroupValves(db, caller, id)
      if (!found) throw new AppError('device-group.not-found')
      return found
    },
  }
}
