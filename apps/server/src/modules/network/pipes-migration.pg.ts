import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'

/** Pipes between nodes; a pair of nodes has one at most, whichever of them is named first. */
export async function addPipes<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table pipe (
      id bigint generated always as identity primary key,
      company_id bigint not null references company,
      from_node_id bigint not null,
      to_node_id bigint not null,
      length_m double precision not null check (length_m > 0),
      inner_diameter_mm double precision not null check (inner_diameter_mm > 0),
      material text not null check (material in ('steel', 'copper', 'pe-rt', 'pb', 'pp-r')),
      roughness_mm double precision check (roughness_mm >= 0),
      laid_year smallint,
      foreign key (from_node_id, company_id) references node (id, company_id) on delete cascade,
      foreign key (to_node_id, company_id) references node (id, company_id) on delete cascade,
      check (from_node_id <> to_node_id)
    )`.execute(db)
  await sql`
    create unique index pipe_ends on pipe (least(from_node_id, to_node_id), greatest(from_node_id, to_node_id))`.execute(
    db,
  )
  await sql`create index pipe_from on pipe (from_node_id)`.execute(db)
  await sql`create index pipe_to on pipe (to_node_id)`.execute(db)
  await trackChanges(db, {
    table: 'pipe',
    entity: 'pipe',
    columns: [
      ...['from_node_id', 'to_node_id', 'length_m', 'inner_diameter_mm', 'material', 'roughness_mm'],
      'laid_year',
    ],
  })
}
