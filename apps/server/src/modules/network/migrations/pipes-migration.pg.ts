import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../../platform/operation/track.pg.ts'

/** A pipe is identified by its ends. A new pipe continues the version numbers of the removed one. */
export async function continuePipeVersions<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table ended_pipe (
      least_node_id bigint not null references node on delete cascade,
      greatest_node_id bigint not null references node on delete cascade,
      version integer not null,
      primary key (least_node_id, greatest_node_id)
    )`.execute(db)
  await sql`create index ended_pipe_greatest on ended_pipe (greatest_node_id)`.execute(db)
  await sql`
    create function isotherm_end_pipe() returns trigger language plpgsql as $$
    begin
      insert into ended_pipe (least_node_id, greatest_node_id, version)
      select least(old.from_node_id, old.to_node_id), greatest(old.from_node_id, old.to_node_id), old.version
      where (select count(*) from node where id in (old.from_node_id, old.to_node_id)) = 2
      on conflict (least_node_id, greatest_node_id)
        do update set version = greatest(ended_pipe.version, excluded.version);
      return null;
    end $$`.execute(db)
  await sql`
    create function isotherm_begin_pipe() returns trigger language plpgsql as $$
    begin
      new.version := 1 + coalesce((
        select version from ended_pipe where least_node_id = least(new.from_node_id, new.to_node_id)
          and greatest_node_id = greatest(new.from_node_id, new.to_node_id)), 0);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger begin_version before insert on pipe for each row execute function isotherm_begin_pipe()`.execute(
    db,
  )
  await sql`
    create trigger end_version after delete on pipe for each row execute function isotherm_end_pipe()`.execute(
    db,
  )
}

/** Pipes between nodes. A pair of nodes has at most one pipe, in either direction. */
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
      'from_node_id',
      'to_node_id',
      'length_m',
      'inner_diameter_mm',
      'material',
      'roughness_mm',
      'laid_year',
    ],
  })
}
