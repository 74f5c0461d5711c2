import type { Device } from '@isotherm/contract/devices'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { readDevices } from '../lists/device-rows.pg.ts'
import { withAbilities } from '../policy.ts'
import { addDevice, type NewDevice } from './add-device.pg.ts'
import { changeDevices, type DeviceChanges } from './change-devices.pg.ts'
import type { Item } from './device-locks.pg.ts'
import { hideForeignConcentrators } from './hide-concentrators.pg.ts'
import { type FindWithReadings, removeDevices } from './remove-devices.pg.ts'
import { type Replacement, replaceDevice } from './replace-device.pg.ts'

/** Devices that go out of use. `at`: Unix ms. */
export interface Retiring {
  readonly ids: readonly number[]
  readonly at: number
  readonly reason: 'retired' | 'replaced'
}

/** Runs in the transaction that retires the devices. The devices are locked. It may throw to refuse. */
export type RetiringListener = (transaction: Transaction<Tables>, retiring: Retiring) => Promise<void>

/** Devices that are removed, or were moved to another node. */
export interface Leaving {
  readonly ids: readonly number[]
  readonly how: 'removed' | 'moved'
}

/** Runs in the transaction that moved the devices, or before it removes them. The devices are locked. It may throw to refuse. */
export type LeavingListener = (transaction: Transaction<Tables>, leaving: Leaving) => Promise<void>

/**
 * Runs in the transaction that gives devices a model, before it does. The returned function runs after it, with the devices locked, and may
 * throw to refuse.
 */
export type ModelListener = (
  transaction: Transaction<Tables>,
  ids: readonly number[],
) => Promise<() => Promise<void>>

/** Changes the device registry. Each change and its entry in the operation log are one transaction. */
export interface RegistryService {
  add(call: Call, added: NewDevice): Promise<Device>
  /** Makes the same changes to all of `items`. Returns the changed devices in that order. */
  change(call: Call, items: readonly Item[], changes: DeviceChanges): Promise<Device[]>
  changeOne(call: Call, item: Item, changes: DeviceChanges): Promise<Device>
  /** Returns the ids of the removed devices. */
  remove(call: Call, items: readonly Item[], findWithReadings: FindWithReadings): Promise<number[]>
  replace(call: Call, replacement: Replacement): Promise<{ device: Device; replaced: Device }>
  /** Calls the listener in every retirement and replacement. Returns a function that stops the calls. */
  onRetiring(listener: RetiringListener): () => void
  /** Calls the listener in every removal and move. Returns a function that stops the calls. */
  onLeaving(listener: LeavingListener): () => void
  /** Calls the listener in every change of a model. Returns a function that stops the calls. */
  onModel(listener: ModelListener): () => void
}

export function createRegistryService(db: Database): RegistryService {
  const listeners = new Set<RetiringListener>()
  const leavingListeners = new Set<LeavingListener>()
  const modelListeners = new Set<ModelListener>()

  async function retire(transaction: Transaction<Tables>, retiring: Retiring): Promise<void> {
    for (const listener of listeners) await listener(transaction, retiring)
  }

  async function leave(transaction: Transaction<Tables>, leaving: Leaving): Promise<void> {
    for (const listener of leavingListeners) await listener(transaction, leaving)
  }

  async function change(
    transaction: Transaction<Tables>,
    call: Call,
    items: readonly Item[],
    changes: DeviceChanges,
  ): Promise<readonly number[]> {
    const checks: (() => Promise<void>)[] = []
    if (changes.modelId !== undefined)
      for (const listener of modelListeners)
        checks.push(
          await listener(
            transaction,
            items.map(({ id }) => id),
          ),
        )
    const ids = await changeDevices(transaction, call, items, changes)
    for (const check of checks) await check()
    const { at } = call.operation
    if (changes.use === 'retired') await retire(transaction, { ids, at, reason: 'retired' })
    if (changes.node !== undefined) await leave(transaction, { ids, how: 'moved' })
    return ids
  }

  /** Reads devices in the transaction that changed them. The caller was allowed to change them. */
  async function readFor(
    transaction: Transaction<Tables>,
    { caller }: Pick<Call, 'caller'>,
    ids: readonly number[],
  ): Promise<Device[]> {
    const devices = await readDevices(transaction, ids)
    const shown = await hideForeignConcentrators(transaction, caller.scope, devices)
    const byId = new Map(shown.map((device) => [device.id, device]))
    return ids.map((id) => {
      const device = byId.get(id)
      if (!device) throw new AppError('device.not-found')
      return withAbilities(caller, device)
    })
  }

  async function readOneFor(transaction: Transaction<Tables>, call: Call, id: number): Promise<Device> {
    const [device] = await readFor(transaction, call, [id])
    if (!device) throw new AppError('device.not-found')
    return device
  }

  return {
    add: (call, added) =>
      operate(db, call.operation, async (transaction) =>
        readOneFor(transaction, call, await addDevice(transaction, call, added)),
      ),

    change: (call, items, changes) =>
      operate(db, call.operation, async (transaction) =>
        readFor(transaction, call, await change(transaction, call, items, changes)),
      ),

    changeOne: (call, item, changes) =>
      operate(db, call.operation, async (transaction) => {
        await change(transaction, call, [item], changes)
        return readOneFor(transaction, call, item.id)
      }),

    remove: (call, items, findWithReadings) =>
      operate(db, call.operation, async (transaction) => [
        ...(await removeDevices(transaction, call, items, findWithReadings, (ids) =>
          leave(transaction, { ids, how: 'removed' }),
        )),
      ]),

    replace: (call, replacement) =>
      operate(db, call.operation, async (transaction) => {
        const id = await replaceDevice(transaction, call, replacement)
        const { at } = call.operation
        await retire(transaction, { ids: [replacement.id], at, reason: 'replaced' })
        const replaced = await readOneFor(transaction, call, replacement.id)
        return { device: await readOneFor(transaction, call, id), replaced }
      }),

    onRetiring(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    onLeaving(listener) {
      leavingListeners.add(listener)
      return () => leavingListeners.delete(listener)
    },

    onModel(listener) {
      modelListeners.add(listener)
      return () => modelListeners.delete(listener)
    },
  }
}
