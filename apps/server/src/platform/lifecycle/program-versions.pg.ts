import { type Generated, sql } from 'kysely'
import type { Database } from '../postgres/database.pg.ts'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'

/** One row per upgrade or downgrade: the version of the program, and when it first started on these data. */
interface ProgramVersionTable {
  readonly id: Generated<number>
  readonly version: string
  readonly started_at: Date
}

declare module '../tables.ts' {
  interface Tables {
    program_version: ProgramVersionTable
  }
}

export const versionMigrations: ModuleMigrations = {
  module: 'version',
  migrations: {
    '001_program_version': {
      async up(db) {
        await sql`
          create table program_version (
            id bigint generated always as identity primary key,
            version text not null,
            started_at timestamptz not null
          )`.execute(db)
      },
    },
  },
}

/** The last versions that started on these data, newest first by id, because a clock can be wrong. */
export const listProgramVersions = (db: Database, size: number) =>
  db
    .selectFrom('program_version')
    .select(['version', 'started_at'])
    .orderBy('id', 'desc')
    .limit(size)
    .execute()

/** The last version that started on these data; undefined if no version recorded itself yet. */
export async function findLastVersion(db: Database): Promise<string | undefined> {
  const { rows } = await sql`select where to_regclass('program_version') is not null`.execute(db)
  if (rows.length === 0) return undefined
  return (await listProgramVersions(db, 1))[0]?.version
}

/** Records the version of a program that starts, unless it is the last one. Replicas may start at the same time. */
export async function recordProgramVersion(db: Database, version: string, now: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`lock table program_version in exclusive mode`.execute(transaction)
    const [last] = await listProgramVersions(transaction, 1)
    if (last?.version === version) return
    await transaction
      .insertInto('program_version')
      .values({ version, started_at: new Date(now) })
      .execute()
  })
}
