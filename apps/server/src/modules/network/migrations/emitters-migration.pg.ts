import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../../platform/operation/track.pg.ts'

/** Adds the heat emitter of a node. Few nodes have one; all nodes below inherit it. */
export async function addEmitters<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    alter table node add column emitter text check (emitter in ('radiator', 'floor', 'fan-coil'))`.execute(db)
  await sql`create index node_emitter on node (path) where emitter is not null`.execute(db)
  await trackChanges(db, {
    table: 'node',
    entity: 'node',
    columns: ['parent_id', 'kind', 'level', 'name', 'area_m2', 'is_test', 'description', 'emitter'],
  })
}
