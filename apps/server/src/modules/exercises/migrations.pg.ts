import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'

export const exercisesMigrations: ModuleMigrations = {
  module: 'exercises',
  migrations: {
    '001_exercises': {
      async up(db) {
        await sql`
          create table valve_exercise (
            id bigint generated always as identity primary key,
            account_id bigint references account on delete set null,
            account text not null,
            reason text not null,
            state text not null check (state in ('running', 'cancelling', 'finished', 'cancelled', 'stopped')),
            step text not null check (step in ('open', 'close', 'restore')),
            batch_id text,
            stop text,
            created_ms bigint not null,
            ended_ms bigint,
            check ((ended_ms is null) = (state in ('running', 'cancelling')))
          )`.execute(db)
        await sql`create index valve_exercise_open on valve_exercise (id) where ended_ms is null`.execute(db)
        await sql`
          create table valve_exercise_valve (
            exercise_id bigint not null references valve_exercise,
            device_id bigint not null references device on delete cascade,
            before_pct double precision,
            left_out text,
            primary key (exercise_id, device_id)
          )`.execute(db)
        await sql`create index valve_exercise_valve_device on valve_exercise_valve (device_id)`.execute(db)
        await sql`
          create table valve_exercise_batch (
            exercise_id bigint not null references valve_exercise,
            step text not null,
            batch_id text not null,
            primary key (exercise_id, step)
          )`.execute(db)
        await trackChanges(db, {
          table: 'valve_exercise',
          entity: 'valve-exercise',
          columns: ['reason', 'state', 'step', 'stop'],
        })
      },
    },
  },
}
