import type { TransferKind, TransferState } from '@isotherm/contract/transfer'
import { sql } from 'kysely'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toStorableJson } from '../../../platform/postgres/storable-json.ts'
import type { Fault } from '../sheets/texts.ts'
import { statesBefore, type TransferEvent, transitions } from './state-machine.ts'
import type { StoredTransfer } from './stored-transfer.ts'
import { getTransfer } from './transfers.pg.ts'

/** Another replica has the run now, or it has ended. The worker that notices must stop. */
export class LostRun extends Error {
  override readonly name = 'LostRun'
}

/** Advisory lock: one claim at a time, so that no two runs of a company start together. */
const CLAIM_LOCK = 7_301_988
const LEASE = sql`now() + interval '30 seconds'`
const RUNNING = sql`('checking', 'importing')`

/**
 * Claims the oldest run of a kind, of a company that this server serves, without a valid lease, if no other run of its company and kind has one.
 * `served`: companies whose runs are claimed after those of the others, the first of them first.
 */
export function claim(
  db: Database,
  worker: string,
  kind: TransferKind,
  served: readonly number[] = [],
): Promise<StoredTransfer | undefined> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(transaction)
    const { rows } = await sql<{ id: number }>`
      update transfer set worker = ${worker}, lease_until = ${LEASE}, attempts = attempts + 1
      where id = (
        select id from transfer waiting where kind = ${kind} and state in ${RUNNING} and (lease_until is null or lease_until < now())
          and ${isServed('company_id')}
          and not exists (
            select from transfer other where other.company_id = waiting.company_id and other.kind = ${kind} and other.id <> waiting.id
              and other.state in ${RUNNING} and other.lease_until > now())
        order by array_position(${[...served]}::bigint[], company_id) nulls first, id limit 1)
      returning id`.execute(transaction)
    const [row] = rows
    return row && getTransfer(transaction, row.id)
  })
}

/** Locks the run until the transaction ends. Throws LostRun. */
export async function lockRun(db: Database, id: number, worker: string): Promise<void> {
  const { rows } = await sql`
    select from transfer where id = ${id} and worker = ${worker} and state in ${RUNNING} for no key update`.execute(
    db,
  )
  if (rows.length === 0) throw new LostRun()
}

export async function renewLease(db: Database, id: number, worker: string): Promise<void> {
  await sql`update transfer set lease_until = ${LEASE} where id = ${id} and worker = ${worker}`.execute(db)
}

/** Ends the lease at once and does not count the attempt: a server that stops is not a failure of the run. */
export async function endLease(db: Database, id: number, worker: string): Promise<void> {
  await sql`
    update transfer set lease_until = now(), attempts = greatest(attempts - 1, 0)
    where id = ${id} and worker = ${worker}`.execute(db)
}

/** Releases a run; it can be claimed again after `delayS`, s. */
export async function release(db: Database, id: number, worker: string, delayS: number): Promise<void> {
  await sql`
    update transfer set lease_until = now() + make_interval(secs => ${delayS})
    where id = ${id} and worker = ${worker}`.execute(db)
}

/** The state an event leads to; it is the same from every state. */
function targetOf(event: TransferEvent): TransferState {
  const [state] = statesBefore(event)
  const target = state && transitions[state][event]
  if (!target) throw new Error(`the event ${event} leads to no state`)
  return target
}

/** Changes the state of a run by an event. The lease ends unless the run continues. Throws LostRun. */
export async function proceed(
  db: Database,
  id: number,
  worker: string,
  event: 'checked' | 'cleared' | 'imported' | 'fault',
  fault?: Fault,
): Promise<void> {
  const target = targetOf(event)
  const continues = target === 'importing'
  const { numAffectedRows } = await sql`
    update transfer set state = ${target}, fault = ${fault?.code ?? null},
      fault_params = ${toStorableJson(fault?.params ?? {})}::jsonb,
      worker = case when ${continues} then worker end, lease_until = case when ${continues} then lease_until end
    where id = ${id} and worker = ${worker} and state = any(${[...statesBefore(event)]}::text[])`.execute(db)
  if (!numAffectedRows) throw new LostRun()
}
