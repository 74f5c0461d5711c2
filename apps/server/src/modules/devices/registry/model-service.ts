import type { DeviceKind } from '@isotherm/contract/devices'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addDevModel,
  DeviceModel,
  editDevModel,
} from '@isotherm/contract/endpoints/devices/device-models'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { mayChangeShared, requireManaging } from '../policy.ts'
import { requireProfile } from '../profiles/profile-store.pg.ts'
import type { Item } from './device-locks.pg.ts'
import {
  changeModel,
  countOfModel,
  insertModel,
  listModels,
  lockModel,
  removeModel,
  type StoredModel,
} from './model-store.pg.ts'

/** Device models. All companies share them. */
export interface DeviceModelsService {
  list(caller: Caller, kind: DeviceKind | undefined): Promise<DeviceModel[]>
  add(call: Call, added: InputOf<typeof addDevModel>): Promise<DeviceModel>
  change(call: Call, changed: InputOf<typeof editDevModel>): Promise<DeviceModel>
  remove(call: Call, item: Item): Promise<void>
}

/** A model with more devices cannot be renamed: its name is stored in the row of each device. */
const MAX_RENAMED = 10_000

const withAbilities = (caller: Caller, model: StoredModel): DeviceModel => ({
  ...model,
  abilities: mayChangeShared(caller, model.kind) ? ['edit', 'remove'] : [],
})

/** Locks a model for a change. Throws device-model.not-found, access.denied and entity.stale. */
async function lockItem(
  transaction: Transaction<Tables>,
  caller: Caller,
  { id, version }: Item,
): Promise<Pick<StoredModel, 'kind' | 'name'>> {
  const target = { table: 'device_model', entity: 'device-model', id, version } as const
  if (!(await lockVersion(transaction, target))) throw new AppError('device-model.not-found')
  const model = await lockModel(transaction, id)
  if (!mayChangeShared(caller, model.kind)) throw new AppError('access.denied')
  return model
}

async function requireUnused(transaction: Transaction<Tables>, id: number, most: number): Promise<void> {
  const count = await countOfModel(transaction, id)
  if (count > most) throw new AppError('entity.in-use', { entity: 'device', count })
}

export const createDeviceModelsService = (db: Database): DeviceModelsService => ({
  async list(caller, kind) {
    return (await listModels(db, kind)).map((model) => withAbilities(caller, model))
  },

  add: ({ caller, operation }, added) =>
    operate(db, operation, async (transaction) => {
      requireManaging(caller, added.kind)
      if (added.profile !== undefined) await requireProfile(transaction, added.profile, added.kind)
      return withAbilities(caller, await insertModel(transaction, added))
    }),

  change: ({ caller, operation }, { id, version, ...changes }) =>
    operate(db, operation, async (transaction) => {
      const { name, kind } = await lockItem(transaction, caller, { id, version })
      if (changes.profile) await requireProfile(transaction, changes.profile, kind)
      if (changes.name !== undefined && changes.name !== name) {
        await requireUnused(transaction, id, MAX_RENAMED)
      }
      return withAbilities(caller, await changeModel(transaction, id, changes))
    }),

  remove: ({ caller, operation }, item) =>
    operate(db, operation, async (transaction) => {
      await lockItem(transaction, caller, item)
      await requireUnused(transaction, item.id, 0)
      await removeModel(transaction, item.id)
    }),
})
