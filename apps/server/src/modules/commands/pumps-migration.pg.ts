import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'

/** Adds commands, holds and limits of pumps. */
export async function addPumps(db: Kysely<unknown>): Promise<void> {
  // The new constraints are checked against all existing commands.
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`
    alter table command
      add column kind text not null default 'valve.set' check (kind in ('valve.set', 'pump.set')),
      add column head_kpa double precision check (head_kpa > 0),
      add column previous_kpa double precision,
      alter column opening_pct drop not null,
      add check ((kind = 'valve.set') = (opening_pct is not null)),
      add check ((kind = 'pump.set') = (head_kpa is not null))`.execute(db)
  await trackChanges(db, {
    table: 'command',
    entity: 'command',
    columns: [
      'device_id',
      'opening_pct',
      'previous_pct',
      'head_kpa',
      'previous_kpa',
      'batch_id',
      'reason',
      'expires_ms',
      'priority',
    ],
    id: ['id'],
  })
  await sql`
    alter table valve_hold
      add column head_kpa double precision check (head_kpa > 0),
      alter column opening_pct drop not null,
      add check (num_nonnulls(opening_pct, head_kpa) = 1)`.execute(db)
  await trackChanges(db, {
    table: 'valve_hold',
    entity: 'hold',
    columns: [
      'device_id',
      'opening_pct',
      'head_kpa',
      'priority',
      'reason',
      'until_ms',
      'ended_why',
      'ended_by',
    ],
  })
  await sql`
    create table pump_limit (
      id bigint generated always as identity primary key,
      device_id bigint not null unique references device on delete cascade,
      min_head_kpa double precision not null check (min_head_kpa > 0),
      max_head_kpa double precision not null check (max_head_kpa > min_head_kpa),
      max_step_kpa double precision not null check (max_step_kpa > 0)
    )`.execute(db)
  await trackChanges(db, {
    table: 'pump_limit',
    entity: 'pump-limit',
    columns: ['device_id', 'min_head_kpa', 'max_head_kpa', 'max_step_kpa'],
  })
}
