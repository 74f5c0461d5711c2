import { type Kysely, sql } from 'kysely'

/** Allows the kind `sensor` of devices, models and profiles. */
export async function addSensors<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const table of ['device', 'device_model', 'device_profile']) {
    const constraint = sql.ref(`${table}_kind_check`)
    await sql`
      alter table ${sql.table(table)} drop constraint ${constraint}, add constraint ${constraint}
        check (kind in ('valve', 'heat-meter', 'room-sensor', 'station', 'concentrator', 'sensor'))`.execute(
      db,
    )
  }
}
