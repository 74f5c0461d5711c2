import { sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../../platform/app-error.ts'
import { operateFurther } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import { repeatUntilDone } from '../../../platform/tasks/repeat-until-done.ts'
import type { SettingsWriter } from '../../irrigation/index.ts'
import { lockRun } from '../runs/lease.pg.ts'
import { countVerdicts } from '../runs/progress.pg.ts'
import type { IrrigationRow } from '../sheets/parsed-rows.ts'
import { type Fault, toFault } from '../sheets/texts.ts'
import { DEPTHS, type Run } from './check-structure.pg.ts'
import { failRows } from './staging.pg.ts'
import { pickDevices, pickModels, storeDevices, storeModels } from './store-devices.pg.ts'
import { dropIrrigation, pickIrrigation, storeIrrigation } from './store-irrigation.pg.ts'
import { addPlaces, changePlaces, dropPlaces, pickChanges, pickPlaces } from './store-nodes.pg.ts'
import { pickPipes, storePipes } from './store-pipes.pg.ts'

type Db = Transaction<Tables>

/** A kind of rows that are stored in batches; each row is identified by a key. */
interface Step<Key> {
  readonly pick: (db: Db, limit: number) => Promise<readonly Key[]>
  /** Maximum number of rows of a batch; by default KEYS_PER_BATCH. */
  readonly size?: number
  readonly store: (db: Db, keys: readonly Key[]) => Promise<void>
  /** Marks a row that cannot be stored as failed. */
  readonly drop: (db: Db, key: Key, error: unknown) => Promise<void>
}

export interface Storing extends Run {
  readonly accountId: number
  readonly operationId: number
  readonly worker: string
  readonly irrigation: SettingsWriter
  /** Called after every batch. Throws if the run must stop. */
  readonly onBatch: () => Promise<void>
}

const KEYS_PER_BATCH = 1_000
/** A batch locks its irrigation sources until its end; a locked source starts no run. Each row takes some ten statements. */
const IRRIGATION_PER_BATCH = 20
const constraint = z.object({ code: z.string().startsWith('23') })

/** Whether a concurrent change since the check can cause the error. Then one row of the batch is at fault. */
const isConflict = (error: unknown): boolean =>
  error instanceof AppError || constraint.safeParse(error).success

/** Stores a batch. On a conflict it bisects the batch, so that only the rows in conflict fail. */
async function storeBatch<Key>(
  db: Database,
  storing: Storing,
  step: Step<Key>,
  keys: readonly Key[],
): Promise<void> {
  const inBatch = (work: (transaction: Db) => Promise<void>) =>
    operateFurther(db, storing.operationId, async (transaction) => {
      await lockRun(transaction, storing.id, storing.worker)
      await work(transaction)
    })
  const storeSome = (some: readonly Key[]) => inBatch((transaction) => step.store(transaction, some))
  for (const { item, error } of await bisect(keys, storeSome, isConflict))
    await inBatch((transaction) => step.drop(transaction, item, error))
}

async function storeAll<Key>(db: Database, storing: Storing, step: Step<Key>): Promise<void> {
  async function storeNext(): Promise<number> {
    const keys = await db
      .transaction()
      .execute((transaction) => step.pick(transaction, step.size ?? KEYS_PER_BATCH))
    if (keys.length === 0) return 0
    await storeBatch(db, storing, step, keys)
    await storing.onBatch()
    return keys.length
  }
  // Keys can become ready while others are stored, so only an empty batch is the last one.
  await repeatUntilDone(storeNext, { batchSize: 1 })
}

const conflict = toFault('row.conflict')

const toPlaceStep = (run: Storing, depth: number): Step<string> => ({
  pick: (db, limit) => pickPlaces(db, run, depth, limit),
  store: (db, places) => addPlaces(db, run, run.accountId, places),
  drop: (db, place) => dropPlaces(db, run, [place]),
})

const toChangeStep = (run: Storing): Step<number> => ({
  pick: (db, limit) => pickChanges(db, run, limit),
  store: (db, rows) => changePlaces(db, run, rows),
  drop: (db, row) => failRows(db, run.id, 'structure', [row], conflict),
})

const toModelStep = (run: Storing): Step<number> => ({
  pick: (db, limit) => pickModels(db, run, limit),
  store: (db, rows) => storeModels(db, run, rows),
  drop: (db, row) => failRows(db, run.id, 'models', [row], conflict),
})

/** Why a device was not stored: irrigation needs the sensor at its place, or something changed since the check. */
const toDeviceFault = (error: unknown): Fault =>
  error instanceof AppError && error.code === 'irrigation.sensor-attached'
    ? toFault(error.code, error.params)
    : conflict

const toDeviceStep = (run: Storing): Step<number> => ({
  pick: (db, limit) => pickDevices(db, run, limit),
  store: (db, rows) => storeDevices(db, run, rows),
  drop: (db, row, error) => failRows(db, run.id, 'devices', [row], toDeviceFault(error)),
})

const toPipeStep = (run: Storing): Step<number> => ({
  pick: (db, limit) => pickPipes(db, run, limit),
  store: (db, rows) => storePipes(db, run, rows),
  drop: (db, row) => failRows(db, run.id, 'pipes', [row], conflict),
})

const toIrrigationStep = (run: Storing, sheet: IrrigationRow['sheet']): Step<number> => ({
  size: IRRIGATION_PER_BATCH,
  pick: (db, limit) => pickIrrigation(db, run, sheet, limit),
  store: (db, rows) => storeIrrigation(db, run, run.irrigation, sheet, rows),
  drop: (db, row, error) => dropIrrigation(db, run, sheet, row, error),
})

/** Stores all valid rows that are not stored yet, in batches. Throws LostRun and the errors of `onBatch`. */
export async function storeRows(db: Database, storing: Storing): Promise<void> {
  await storeAll(db, storing, toModelStep(storing))
  for (const depth of DEPTHS) await storeAll(db, storing, toPlaceStep(storing, depth))
  await storeAll(db, storing, toChangeStep(storing))
  await storeAll(db, storing, toDeviceStep(storing))
  await storeAll(db, storing, toPipeStep(storing))
  await storeAll(db, storing, toIrrigationStep(storing, 'irrigation-sources'))
  await storeAll(db, storing, toIrrigationStep(storing, 'irrigation-groups'))
  await db.transaction().execute(async (transaction) => {
    await lockRun(transaction, storing.id, storing.worker)
    // The remaining rows depend on a node or concentrator that could not be stored.
    await sql`
      update transfer_row set verdict = 'failed', reason = ${conflict.code}
      where transfer_id = ${storing.id} and verdict in ('added', 'changed') and not is_stored`.execute(
      transaction,
    )
    await countVerdicts(transaction, storing.id, true)
  })
}
