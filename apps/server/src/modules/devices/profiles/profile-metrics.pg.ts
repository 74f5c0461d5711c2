import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { MetricName } from '@isotherm/contract/metrics'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

interface ProfileOf<Owner> {
  readonly owner: Owner
  readonly key: string
  /** Null for a profile that is shipped with the product. */
  readonly stored: DeviceProfile | null
}

/**
 * The metrics of profiles by their owners, which are names of models or ids of devices. `keys` selects the owners, each with the key of
 * its profile. Owners without a profile are absent.
 */
async function readMetrics<Owner>(
  db: Database,
  keys: RawBuilder<unknown>,
): Promise<ReadonlyMap<Owner, ReadonlySet<MetricName>>> {
  const { rows } = await sql<ProfileOf<Owner>>`
    select given.owner, given.key, own.profile as stored
    from (${keys}) given left join device_profile own on own.key = given.key
    where given.key is not null`.execute(db)
  return new Map(
    rows.flatMap(({ owner, key, stored }) => {
      const profile = shippedProfiles.find((one) => one.id === key) ?? stored
      return profile ? [[owner, new Set(profile.bus.readings.map(({ metric }) => metric))] as const] : []
    }),
  )
}

/** The metrics that sensors of models report, by the names of the models. Models without a profile are absent. */
export const readModelMetrics = async (
  db: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<MetricName>>> =>
  names.length === 0
    ? new Map()
    : readMetrics<string>(
        db,
        sql`select name as owner, profile as key from device_model
          where kind = 'sensor' and name = any(${[...names]}::text[])`,
      )

/**
 * The metrics that devices report, by the profile of their model. Devices whose model has none are absent: nobody has stated what they
 * measure.
 */
export const readProfileMetrics = async (
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<MetricName>>> =>
  deviceIds.length === 0
    ? new Map()
    : readMetrics<number>(
        db,
        sql`select device.id as owner, model.profile as key
          from device join device_model model on model.kind = device.kind and model.name = device.model
          where device.id = any(${[...deviceIds]}::bigint[])`,
      )
