import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../../platform/operation/track.pg.ts'

/** Adds prices of energy, and an index for the first strategy of a station. */
export async function addEnergyPrices<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table energy_price (
      id bigint generated always as identity primary key,
      node_id bigint not null unique references node on delete cascade,
      yuan_per_gj double precision check (yuan_per_gj > 0),
      yuan_per_kwh double precision check (yuan_per_kwh > 0)
    )`.execute(db)
  await trackChanges(db, {
    table: 'energy_price',
    entity: 'energy-price',
    columns: ['node_id', 'yuan_per_gj', 'yuan_per_kwh'],
  })
  await sql`create index strategy_station on strategy (station_node_id)`.execute(db)
}
