import type { MetricName } from '@isotherm/contract/metrics'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** Stores a model of sensors whose profile reports one metric; if it exists, it reports this one from now on. Returns its id. */
export async function storeSensorModel(db: Database, name: string, metric: MetricName): Promise<number> {
  const profile = JSON.stringify({
    v: 1,
    id: name,
    name: { zh: name, en: name },
    kind: 'sensor',
    pollPeriodS: 900,
    checks: [],
    bus: { driver: 'properties', readings: [{ metric, property: 'x', scale: 1, offset: 0, unit: 'm³' }] },
  })
  await db
    .insertInto('device_profile')
    .values({ key: name, kind: 'sensor', profile })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ profile }))
    .execute()
  const { id } = await db
    .insertInto('device_model')
    .values({ kind: 'sensor', name, profile: name })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet({ profile: name }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
