import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/**
 * Those of `ids` that listen only after a report of their own, because their gateway reaches them over a radio network and they are not
 * set up to listen always (LoRaWAN class C), and for each whether its configuration states that. Checks no scope.
 */
export async function listRadioDevices(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, boolean>> {
  // Each configuration is opened once: it may have thousands of devices.
  const { rows } = await sql<{ id: number; stated: boolean }>`
    with named as materialized (
      select id, serial, concentrator_id from device where id = any(${[...ids]}::bigint[]) and concentrator_id is not null
    ), radio as materialized (
      select device_id, jsonb_array_elements(
        jsonb_path_query_array(config, '$.lines[*] ? (@.driver == "chirpstack-mqtt" || @.driver == "northbound-http").devices[*] ? (!exists(@.listens) || @.listens != "always")')) as found
      from gateway_config where device_id in (select concentrator_id from named)
    )
    select named.id, found ? 'listens' as stated from named
    join radio on radio.device_id = named.concentrator_id and found ->> 'serial' = named.serial`.execute(db)
  return new Map(rows.map(({ id, stated }) => [id, stated]))
}
