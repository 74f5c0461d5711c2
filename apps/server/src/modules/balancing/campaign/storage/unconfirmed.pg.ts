import { sql } from 'kysely'
import type { Database } from '../../../../platform/postgres/database.pg.ts'

/** A command that its valve reported as done, and that no reading confirmed in time. */
export interface Unconfirmed {
  readonly deviceId: number
  /** Instant of the valve's own `done`, Unix ms. */
  readonly doneAt: number
}

/** Unconfirmed commands of a batch. */
export async function listUnconfirmed(db: Database, batchId: string): Promise<readonly Unconfirmed[]> {
  const { rows } = await sql<Unconfirmed>`
    select device_id as "deviceId", done_ms as "doneAt" from command
    where batch_id = ${batchId} and state = 'unknown' and done_ms is not null and kind = 'valve.set'
    order by device_id`.execute(db)
  return rows
}
