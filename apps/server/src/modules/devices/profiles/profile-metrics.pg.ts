import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { MetricName } from '@isotherm/contract/metrics'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/**
 * The metrics that devices report, by the profile of their model. Devices whose model has none are absent: nobody has stated what they
 * measure.
 */
export async function readProfileMetrics(
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<MetricName>>> {
  if (deviceIds.length === 0) return new Map()
  const { rows } = await sql<{ id: number; key: string; stored: DeviceProfile | null }>`
    select device.id, model.profile as key, own.profile as stored
    from device join device_model model on model.kind = device.kind and model.name = device.model
      left join device_profile own on own.key = model.profile
    where device.id = any(${[...deviceIds]}::bigint[]) and model.profile is not null`.execute(db)
  return new Map(
    rows.flatMap(({ id, key, stored }) => {
      const profile = shippedProfiles.find((one) => one.id === key) ?? stored
      return profile ? [[id, new Set(profile.bus.readings.map(({ metric }) => metric))] as const] : []
    }),
  )
}
