import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { StoredProfile } from '@isotherm/contract/endpoints/devices/device-profiles'
import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

/** A profile without `abilities`, which depend on the caller. */
type ProfileRow = Omit<StoredProfile, 'abilities'>

const columns = ['id', 'profile', 'version'] as const
const fieldsByConstraint = { device_profile_key_key: 'key' } as const

const isShipped = (key: string): boolean => shippedProfiles.some(({ id }) => id === key)

export const listProfiles = (db: Database): Promise<ProfileRow[]> =>
  db.selectFrom('device_profile').select(columns).orderBy('key').execute()

/** The profiles with these keys; they stay as they are until the transaction ends. */
export const lockProfiles = async (
  transaction: Transaction<Tables>,
  keys: readonly string[],
): Promise<ProfileRow[]> =>
  keys.length === 0
    ? []
    : transaction
        .selectFrom('device_profile')
        .select(columns)
        .where('key', 'in', keys)
        .orderBy('key')
        .forShare()
        .execute()

/** Throws device-profile.not-found unless a profile of the kind has this key. It stays until the transaction ends. */
export async function requireProfile(
  transaction: Transaction<Tables>,
  key: string,
  kind: DeviceProfile['kind'],
): Promise<void> {
  if (shippedProfiles.some((profile) => profile.id === key && profile.kind === kind)) return
  const stored = transaction.selectFrom('device_profile').select('id').where('key', '=', key)
  const found = await stored.where('kind', '=', kind).forShare().executeTakeFirst()
  if (!found) throw new AppError('device-profile.not-found')
}

const toValues = (profile: DeviceProfile) => {
  if (isShipped(profile.id)) throw new AppError('entity.taken', { field: 'key' })
  return { key: profile.id, kind: profile.kind, profile: JSON.stringify(profile) }
}

/** Throws entity.taken, also for the id of a profile that comes with the product. */
export const insertProfile = (
  transaction: Transaction<Tables>,
  profile: DeviceProfile,
): Promise<ProfileRow> =>
  refuseDuplicates(
    fieldsByConstraint,
    transaction
      .insertInto('device_profile')
      .values(toValues(profile))
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/** The stored profile; its row is locked by the caller. */
export const getProfile = (
  transaction: Transaction<Tables>,
  id: number,
): Promise<{ readonly key: string; readonly kind: DeviceProfile['kind'] }> =>
  transaction
    .selectFrom('device_profile')
    .select(['key', 'kind'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Replaces a profile. Models that name it name it by its new id. Throws entity.taken. */
export async function changeProfile(
  transaction: Transaction<Tables>,
  { id, key }: { readonly id: number; readonly key: string },
  profile: DeviceProfile,
): Promise<ProfileRow> {
  const changed = await refuseDuplicates(
    fieldsByConstraint,
    transaction
      .updateTable('device_profile')
      .set(toValues(profile))
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )
  if (profile.id !== key) {
    await transaction
      .updateTable('device_model')
      .set({ profile: profile.id })
      .where('profile', '=', key)
      .execute()
  }
  return changed
}

export const removeProfile = (transaction: Transaction<Tables>, id: number) =>
  transaction.deleteFrom('device_profile').where('id', '=', id).execute()

/** The number of models that name a profile. */
export async function countModelsOf(transaction: Transaction<Tables>, key: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from device_model where profile = ${key}`.execute(transaction)
  return rows[0]?.count ?? 0
}

/** Gateways with a configuration that takes a profile from the registry, in the order of their names. */
export async function listGatewaysOf(
  transaction: Transaction<Tables>,
  key: string,
): Promise<{ readonly name: string; readonly config: GatewayConfig }[]> {
  const given = sql`jsonb_build_object('key', ${key}::text)`
  const { rows } = await sql<{ name: string; config: unknown }>`
    select device.name, gateway_config.config
    from gateway_config join device on device.id = gateway_config.device_id
    where jsonb_path_exists(config, '$.lines[*].devices[*].profile ? (@ == $key)', ${given})
      and not jsonb_path_exists(config, '$.profiles[*].id ? (@ == $key)', ${given})
    order by device.name, device.id`.execute(transaction)
  return rows.map(({ name, config }) => ({ name, config: gatewayConfig.parse(config) }))
}
