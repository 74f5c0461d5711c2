import { randomUUID } from 'node:crypto'
import type { TransferKind } from '@isotherm/contract/transfer'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Signals } from '../../../platform/signals/signals.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { repeatUntilDone } from '../../../platform/tasks/repeat-until-done.ts'
import { claim, endLease, LostRun, proceed, release, renewLease } from '../runs/lease.pg.ts'
import { signalProgress } from '../runs/progress.pg.ts'
import type { StoredTransfer } from '../runs/stored-transfer.ts'
import { sweepTransfers } from '../runs/transfers.pg.ts'
import { FileFault } from '../sheets/read-rows.ts'
import { type Fault, toFault } from '../sheets/texts.ts'

/** The account of a run no longer has the rights the run needs. */
export class NoLongerAllowed extends Error {
  override readonly name = 'NoLongerAllowed'
}

/** The server is stopping; another replica continues the run. */
class Closing extends Error {
  override readonly name = 'Closing'
}

/** A run and the name under which it is claimed. */
interface Claimed {
  readonly transfer: StoredTransfer
  readonly worker: string
}

/** A run that this server has claimed. */
export interface ClaimedRun extends Claimed {
  /** Must be called between batches: signals the progress. Throws if the run must stop. */
  readonly onBatch: () => Promise<void>
}

export interface RunnerNeeds {
  /** Kind of the imports it runs. A long one delays none of another kind. */
  readonly kind: TransferKind
  readonly db: Database
  readonly signals: Pick<Signals, 'listen'>
  readonly clock: Clock
  readonly log: Log
  /** Runs an import to its end. */
  readonly work: (run: ClaimedRun) => Promise<void>
}

export interface Runner {
  /** Resolves when no run is active on this server. */
  close(): Promise<void>
}

const POLL_MS = 5_000
const RENEW_MS = 10_000
const PROGRESS_MS = 250
const RETRY_S = 3
const SWEEP_MS = 10 * MINUTE_MS
const MAX_ATTEMPTS = 10
/** Imports of a kind at once, each of another company: one holds the texts of a workbook in memory. */
const AT_ONCE = 2

/** The fault that ends a run after an error; undefined if it is tried again. */
const toFinalFault = (error: unknown, attempts: number): Fault | undefined => {
  if (error instanceof FileFault) return error.fault
  if (error instanceof NoLongerAllowed) return toFault('access.denied')
  return attempts >= MAX_ATTEMPTS ? toFault('file.gave-up') : undefined
}

/** Claims and runs imports of all replicas, some at once. Companies take turns, so that one with many imports holds up no other. */
export function createRunner({ kind, db, signals, clock, log, work }: RunnerNeeds): Runner {
  /** Companies by their last turn, the newest last. */
  const served = new Set<number>()
  let closed = false

  async function end({ transfer, worker }: Claimed, error: unknown): Promise<void> {
    const { id, attempts } = transfer
    if (error instanceof LostRun) return
    if (error instanceof Closing) {
      await endLease(db, id, worker)
      return
    }
    const fault = toFinalFault(error, attempts)
    if (!(error instanceof FileFault)) log.warn({ err: error, transfer: id, attempts }, 'an import failed')
    if (fault) await proceed(db, id, worker, 'fault', fault)
    else await release(db, id, worker, RETRY_S)
    await signalProgress(db, id)
  }

  async function run(claimed: Claimed): Promise<void> {
    const { transfer, worker } = claimed
    const { id } = transfer
    let signalledAt = 0
    let timer: Timer
    const renew = (): void => {
      renewLease(db, id, worker).catch((err: unknown) => log.warn({ err }, 'could not renew a lease'))
      timer = clock.setTimeout(renew, RENEW_MS)
    }
    timer = clock.setTimeout(renew, RENEW_MS)
    try {
      await work({
        transfer,
        worker,
        async onBatch() {
          if (closed) throw new Closing()
          if (clock.now() - signalledAt < PROGRESS_MS) return
          signalledAt = clock.now()
          await signalProgress(db, id)
        },
      })
      await signalProgress(db, id)
    } catch (error) {
      await end(claimed, error)
    } finally {
      timer.cancel()
    }
  }

  /** Runs the next waiting import. Returns the number of imports it ran: 1 or 0. */
  async function runNext(): Promise<number> {
    // Each claim has a name of its own: one whose lease lapsed may be claimed again by this server.
    const worker = randomUUID()
    const transfer = await claim(db, worker, kind, [...served])
    if (!transfer) return 0
    const { companyId } = transfer
    if (companyId !== null) {
      served.delete(companyId)
      served.add(companyId)
    }
    await run({ transfer, worker })
    return 1
  }

  const loops = Array.from({ length: AT_ONCE }, () =>
    startPollLoop({
      clock,
      pauseMs: POLL_MS,
      async work() {
        await repeatUntilDone(runNext, { batchSize: 1, isStopped: () => closed })
      },
      onError: (err) => log.warn({ err }, 'could not work on imports'),
    }),
  )
  const stopListening = signals.listen('transfer_changed', () => {
    for (const loop of loops) loop.wake()
  })
  const sweeps = startPollLoop({
    clock,
    pauseMs: SWEEP_MS,
    work: () => sweepTransfers(db, clock.now()),
    onError: (err) => log.warn({ err }, 'could not sweep imports'),
  })

  return {
    async close() {
      closed = true
      stopListening()
      await Promise.all([...loops, sweeps].map((loop) => loop.close()))
    },
  }
}
