import type { DeviceKind } from '@isotherm/contract/devices'
import type { DeviceModel } from '@isotherm/contract/endpoints/devices/device-models'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

/** A model without `abilities`, which depend on the caller. */
export type StoredModel = Omit<DeviceModel, 'abilities'>

const columns = ['id', 'kind', 'name', 'maker', 'description', 'profile', 'version'] as const
const fieldsByConstraint = { device_model_kind_name_key: 'name' } as const

const toModel = ({
  profile,
  ...model
}: Omit<StoredModel, 'profile'> & { readonly profile: string | null }): StoredModel => ({
  ...model,
  ...(profile !== null && { profile }),
})

/** All models, ordered by kind and name. */
export async function listModels(db: Database, kind: DeviceKind | undefined): Promise<StoredModel[]> {
  const all = db.selectFrom('device_model').select(columns).orderBy('kind').orderBy('name')
  return (await (kind ? all.where('kind', '=', kind) : all).execute()).map(toModel)
}

/** Locks a model against changes until the transaction ends. Throws device-model.not-found. */
export async function lockModel(
  transaction: Transaction<Tables>,
  id: number,
): Promise<Pick<StoredModel, 'kind' | 'name'>> {
  const model = transaction.selectFrom('device_model').select(['kind', 'name']).where('id', '=', id)
  const found = await model.forShare().executeTakeFirst()
  if (!found) throw new AppError('device-model.not-found')
  return found
}

export const insertModel = async (
  transaction: Transaction<Tables>,
  {
    profile = null,
    ...added
  }: Pick<StoredModel, 'kind' | 'name' | 'maker' | 'description'> & Pick<ModelChanges, 'profile'>,
): Promise<StoredModel> =>
  toModel(
    await refuseDuplicates(
      fieldsByConstraint,
      transaction
        .insertInto('device_model')
        .values({ ...added, profile })
        .returning(columns)
        .executeTakeFirstOrThrow(),
    ),
  )

export interface ModelChanges {
  readonly name?: string | undefined
  readonly maker?: string | undefined
  readonly description?: string | undefined
  /** null for none. */
  readonly profile?: string | null | undefined
}

/** Undefined fields stay unchanged. The devices of the model get its new name. */
export const changeModel = async (
  transaction: Transaction<Tables>,
  id: number,
  { name, maker, description, profile }: ModelChanges,
): Promise<StoredModel> =>
  toModel(
    await refuseDuplicates(
      fieldsByConstraint,
      transaction
        .updateTable('device_model')
        .set(({ ref }) => ({
          name: name ?? ref('name'),
          maker: maker ?? ref('maker'),
          description: description ?? ref('description'),
          profile: profile === undefined ? ref('profile') : profile,
        }))
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirstOrThrow(),
    ),
  )

export const removeModel = (transaction: Transaction<Tables>, id: number) =>
  transaction.deleteFrom('device_model').where('id', '=', id).execute()

/** The number of devices of a model. */
export async function countOfModel(transaction: Transaction<Tables>, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from device_model
      join device on device.kind = device_model.kind and device.model = device_model.name
    where device_model.id = ${id}`.execute(transaction)
  return rows[0]?.count ?? 0
}
