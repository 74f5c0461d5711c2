import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { MetricName } from '@isotherm/contract/metrics'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** A profile as the registry stores it, or its key alone if it is a shipped one. */
interface Named {
  readonly key: string
  readonly stored: DeviceProfile | null
}

function findMetrics({ key, stored }: Named): ReadonlySet<MetricName> | undefined {
  const profile = shippedProfiles.find((one) => one.id === key) ?? stored
  return profile ? new Set(profile.bus.readings.map(({ metric }) => metric)) : undefined
}

/** The metrics that sensors of models report, by the names of these. Models without a profile are absent. */
export async function readModelMetrics(
  db: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<MetricName>>> {
  if (names.length === 0) return new Map()
  const { rows } = await sql<Named & { name: string }>`
    select model.name, model.profile as key, own.profile as stored
    from device_model model left join device_profile own on own.key = model.profile
    where model.kind = 'sensor' and model.name = any(${[...names]}::text[]) and model.profile is not null`.execute(
    db,
  )
  return new Map(
    rows.flatMap(({ name, ...named }) => {
      const metrics = findMetrics(named)
      return metrics ? [[name, metrics] as const] : []
    }),
  )
}

/**
 * The metrics that devices report, by the profile of their model. Devices whose model has none are absent: nobody has stated what they
 * measure.
 */
export async function readProfileMetrics(
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<MetricName>>> {
  if (deviceIds.length === 0) return new Map()
  const { rows } = await sql<Named & { id: number }>`
    select device.id, model.profile as key, own.profile as stored
    from device join device_model model on model.kind = device.kind and model.name = device.model
      left join device_profile own on own.key = model.profile
    where device.id = any(${[...deviceIds]}::bigint[]) and model.profile is not null`.execute(db)
  return new Map(
    rows.flatMap(({ id, ...named }) => {
      const metrics = findMetrics(named)
      return metrics ? [[id, metrics] as const] : []
    }),
  )
}
