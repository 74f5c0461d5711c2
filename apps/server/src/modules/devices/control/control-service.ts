import type { DeviceKind } from '@isotherm/contract/devices'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  ControlDevice,
  ControlPurpose,
  deleteCtlDev,
  getCtlDev,
  insertCtlDev,
  rbacInsertCtlDev,
  updateCtlDev,
} from '@isotherm/contract/endpoints/devices/control-devices'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type ControllingDevice, lockControlledNode, lockDevices } from './control-places.pg.ts'
import { toControlAbilities } from './control-policy.ts'
import {
  changeControlDevice,
  findControlDevices,
  insertControlDevices,
  listControlDevices,
  removeControlDevices,
  type StoredControlDevice,
} from './control-store.pg.ts'

/** Control devices: which device controls which node, and for what purpose. */
export interface ControlService {
  list(
    caller: Caller,
    query: InputOf<typeof getCtlDev>,
  ): Promise<{ datalist: ControlDevice[]; total: number }>
  add(call: Call, added: InputOf<typeof insertCtlDev>): Promise<ControlDevice>
  /** Adds devices that control the nodes they are on; all of them or none. */
  addInPlace(call: Call, added: InputOf<typeof rbacInsertCtlDev>['items']): Promise<ControlDevice[]>
  change(call: Call, changed: InputOf<typeof updateCtlDev>): Promise<ControlDevice>
  /** Removes all of them or none; returns their ids. */
  remove(call: Call, items: InputOf<typeof deleteCtlDev>['items']): Promise<number[]>
}

/** The kinds of device that serve a purpose. A station's controller runs its pump. */
const servingKinds: Readonly<Record<ControlPurpose, readonly DeviceKind[]>> = {
  supply: ['valve', 'station'],
  return: ['valve', 'station'],
  bypass: ['valve', 'station'],
  pump: ['station'],
  irrigation: ['valve'],
}

function checkServes(
  device: Pick<ControllingDevice, 'kind' | 'name' | 'use'>,
  purpose: ControlPurpose,
): void {
  if (device.use === 'retired' || !servingKinds[purpose].includes(device.kind)) {
    throw new AppError('device.not-controllable', { device: device.name })
  }
}

const fieldsByConstraint = { control_device_device_id_node_id_purpose_key: 'purpose' } as const

const withAbilities = (
  caller: Caller,
  { isGranted, use, ...stored }: StoredControlDevice,
): ControlDevice => ({
  ...stored,
  abilities: toControlAbilities(caller, { kind: stored.kind, use, isGranted }),
})

/** The control devices of `ids`. Throws control-device.not-found unless the caller may change all of them. */
async function getGranted(
  transaction: Transaction<Tables>,
  { scope }: Caller,
  ids: readonly number[],
): Promise<readonly StoredControlDevice[]> {
  const found = await findControlDevices(transaction, scope, ids)
  if (found.length < new Set(ids).size || found.some(({ isGranted }) => !isGranted)) {
    throw new AppError('control-device.not-found')
  }
  return found
}

async function lockItem(transaction: Transaction<Tables>, id: number, version: number): Promise<void> {
  const target = { table: 'control_device', entity: 'control-device', id, version } as const
  if (!(await lockVersion(transaction, target))) throw new AppError('control-device.not-found')
}

export function createControlService(db: Database): ControlService {
  async function readAll(caller: Caller, ids: readonly number[]): Promise<ControlDevice[]> {
    const found = await findControlDevices(db, caller.scope, ids)
    return found.map((stored) => withAbilities(caller, stored))
  }

  async function readOne(caller: Caller, id: number): Promise<ControlDevice> {
    const [seen] = await readAll(caller, [id])
    // Another user has removed it meanwhile.
    if (!seen) throw new AppError('control-device.not-found')
    return seen
  }

  return {
    async list(caller, query) {
      const { rows, total } = await listControlDevices(db, caller.scope, query)
      return { datalist: rows.map((row) => withAbilities(caller, row)), total }
    },

    async add({ caller, operation }, { deviceId, node: key, purpose, name, enabled }) {
      const adding = operate(db, operation, async (transaction) => {
        const device = (await lockDevices(transaction, caller.scope, [deviceId])).get(deviceId)
        const node = await lockControlledNode(transaction, caller.scope, key)
        if (!device) throw new AppError('device.not-found')
        checkServes(device, purpose)
        if (node.companyId !== device.companyId) {
          throw new AppError('node.bad-place', { detail: `${node.name}: ${device.name}` })
        }
        const { companyId } = device
        return insertControlDevices(transaction, [
          { deviceId, companyId, nodeId: node.id, purpose, name, enabled },
        ])
      })
      const [id = 0] = await refuseDuplicates(fieldsByConstraint, adding)
      return readOne(caller, id)
    },

    async addInPlace({ caller, operation }, items) {
      const adding = operate(db, operation, async (transaction) => {
        const ids = items.map(({ deviceId }) => deviceId)
        const devices = await lockDevices(transaction, caller.scope, ids)
        const added = items.map(({ deviceId, purpose, name }) => {
          const device = devices.get(deviceId)
          if (!device) throw new AppError('device.not-found')
          checkServes(device, purpose)
          const { companyId, nodeId } = device
          // A control device's name is shorter than a device's may be.
          return {
            deviceId,
            companyId,
            nodeId,
            purpose,
            name: name ?? device.name.slice(0, 60),
            enabled: true,
          }
        })
        return insertControlDevices(transaction, added)
      })
      return readAll(caller, await refuseDuplicates(fieldsByConstraint, adding))
    },

    async change({ caller, operation }, { id, version, node: key, ...changed }) {
      const changing = operate(db, operation, async (transaction) => {
        await lockItem(transaction, id, version)
        const [before] = await getGranted(transaction, caller, [id])
        if (!before) throw new AppError('control-device.not-found')
        const device = (await lockDevices(transaction, caller.scope, [before.deviceId])).get(before.deviceId)
        const node = key === undefined ? undefined : await lockControlledNode(transaction, caller.scope, key)
        checkServes({ ...before, name: before.deviceName }, changed.purpose ?? before.purpose)
        if (node && node.companyId !== device?.companyId) {
          throw new AppError('node.bad-place', { detail: `${node.name}: ${before.deviceName}` })
        }
        await changeControlDevice(transaction, id, { ...changed, nodeId: node?.id })
      })
      await refuseDuplicates(fieldsByConstraint, changing)
      return readOne(caller, id)
    },

    remove: ({ caller, operation }, items) =>
      operate(db, operation, async (transaction) => {
        const inOrder = items.toSorted((left, right) => left.id - right.id)
        for (const { id, version } of inOrder) await lockItem(transaction, id, version)
        const ids = items.map(({ id }) => id)
        await getGranted(transaction, caller, ids)
        await removeControlDevices(transaction, ids)
        return ids
      }),
  }
}
