import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'

/** Adds commands, holds and limits of supply temperatures. A station has a head and an offset, each with its own hold. */
export async function addSupplies(db: Kysely<unknown>): Promise<void> {
  // The new constraints are checked against all existing commands.
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`
    alter table command
      drop constraint command_kind_check,
      add constraint command_kind_check check (kind in ('valve.set', 'pump.set', 'supply.set')),
      add column offset_k double precision check (offset_k between -30 and 30),
      add column previous_k double precision,
      add check ((kind = 'supply.set') = (offset_k is not null))`.execute(db)
  await trackChanges(db, {
    table: 'command',
    entity: 'command',
    columns: [
      'device_id',
      'opening_pct',
      'previous_pct',
      'head_kpa',
      'previous_kpa',
      'offset_k',
      'previous_k',
      'batch_id',
      'reason',
      'expires_ms',
      'priority',
    ],
    id: ['id'],
  })
  await sql`
    alter table valve_hold
      add column offset_k double precision check (offset_k between -30 and 30),
      add column kind text not null generated always as (
        case when opening_pct is not null then 'valve.set' when head_kpa is not null then 'pump.set'
          else 'supply.set' end) stored,
      drop constraint valve_hold_check2,
      add check (num_nonnulls(opening_pct, head_kpa, offset_k) = 1)`.execute(db)
  await sql`drop index valve_hold_standing`.execute(db)
  await sql`create unique index valve_hold_standing on valve_hold (device_id, kind) where ended_ms is null`.execute(
    db,
  )
  await trackChanges(db, {
    table: 'valve_hold',
    entity: 'hold',
    columns: [
      'device_id',
      'opening_pct',
      'head_kpa',
      'offset_k',
      'priority',
      'reason',
      'until_ms',
      'ended_why',
      'ended_by',
    ],
  })
  await sql`
    create table supply_limit (
      id bigint generated always as identity primary key,
      device_id bigint not null unique references device on delete cascade,
      min_offset_k double precision not null,
      max_offset_k double precision not null check (max_offset_k > min_offset_k),
      max_step_k double precision not null check (max_step_k > 0)
    )`.execute(db)
  await trackChanges(db, {
    table: 'supply_limit',
    entity: 'supply-limit',
    columns: ['device_id', 'min_offset_k', 'max_offset_k', 'max_step_k'],
  })
}
