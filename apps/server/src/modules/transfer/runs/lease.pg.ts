import type { TransferState } from '@isotherm/contract/transfer'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Fault } from '../sheets/texts.ts'
import { statesBefore, type TransferEvent, transitions } from './state-machine.ts'
import type { StoredTransfer } from './stored-transfer.ts'
import { getTransfer } from './transfers.pg.ts'

/** The run is another's now, or was ended: whoever notices leaves it. */
export class LostRun extends Error {
  override readonly name = 'LostRun'
}

/** One claim at a time, so that two runs of a company are not taken at once. */
const CLAIM_LOCK = 7_301_988
const LEASE = sql`now() + interval '30 seconds'`
const RUNNING = sql`('checking', 'importing')`

/** Takes the oldest run that nobody works on, and no other of whose company is worked on. */
export function claim(db: Database, worker: string): Promise<StoredTransfer | undefined> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(transaction)
    const { rows } = await sql<{ id: number }>`
      update transfer set worker = ${worker}, lease_until = ${LEASE}, attempts = attempts + 1
      where id = (
        select id from transfer waiting where state in ${RUNNING} and (lease_until is null or lease_until < now())
          and not exists (
            select from transfer other where other.company_id = waiting.company_id and other.id <> waiting.id
              and other.state in ${RUNNING} and other.lease_until > now())
        order by id limit 1)
      returning id`.execute(transaction)
    const [row] = rows
    return row && getTransfer(transaction, row.id)
  })
}

/** Holds the run for the transaction at hand. Throws LostRun. */
export async function hold(db: Database, id: number, worker: string): Promise<void> {
  const { rows } = await sql`
    select from transfer where id = ${id} and worker = ${worker} and state in ${RUNNING} for no key update`.execute(
    db,
  )
  if (rows.length === 0) throw new LostRun()
}

export async function renewLease(db: Database, id: number, worker: string): Promise<void> {
  await sql`update transfer set lease_until = ${LEASE} where id = ${id} and worker = ${worker}`.execute(db)
}

/** Gives a run back at once: that this server closes is no failure of the run. */
export async function giveBack(db: Database, id: number, worker: string): Promise<void> {
  await sql`
    update transfer set lease_until = now(), attempts = greatest(attempts - 1, 0)
    where id = ${id} and worker = ${worker}`.execute(db)
}

/** Lets go of a run; it can be taken again after `delayS`. */
export async function release(db: Database, id: number, worker: string, delayS: number): Promise<void> {
  await sql`
    update transfer set lease_until = now() + make_interval(secs => ${delayS})
    where id = ${id} and worker = ${worker}`.execute(db)
}

/** The state an event leads to, from whichever state. */
function targetOf(event: TransferEvent): TransferState {
  const [state] = statesBefore(event)
  const target = state && transitions[state][event]
  if (!target) throw new Error(`${event} leads nowhere`)
  return target
}

/** Takes a run on by an event. Throws LostRun. */
export async function proceed(
  db: Database,
  id: number,
  worker: string,
  event: 'checked' | 'cleared' | 'imported' | 'fault',
  fault?: Fault,
): Promise<void> {
  const target = targetOf(event)
  const goesOn = target === 'importing'
  const { numAffectedRows } = await sql`
    update transfer set state = ${target}, fault = ${fault?.code ?? null},
      fault_params = ${JSON.stringify(fault?.params ?? {})}::jsonb,
      worker = case when ${goesOn} then worker end, lease_until = case when ${goesOn} then lease_until end
    where id = ${id} and worker = ${worker} and state = any(${[...statesBefore(event)]}::text[])`.execute(db)
  if (!numAffectedRows) throw new LostRun()
}
