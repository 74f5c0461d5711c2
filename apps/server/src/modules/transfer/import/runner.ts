import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Signals } from '../../../platform/signals/signals.ts'
import { claim, giveBack, LostRun, proceed, release, renewLease } from '../runs/lease.pg.ts'
import { tellProgress } from '../runs/progress.pg.ts'
import type { StoredTransfer } from '../runs/stored-transfer.ts'
import { sweepTransfers } from '../runs/transfers.pg.ts'
import { FileFault } from '../sheets/read-rows.ts'
import { type Fault, toFault } from '../sheets/texts.ts'

/** A run that is not to go on: its account may no longer do what it asked for. */
export class NoLongerAllowed extends Error {
  override readonly name = 'NoLongerAllowed'
}

/** The server closes; the run is left to whoever comes next. */
class Closing extends Error {
  override readonly name = 'Closing'
}

/** One run in the hands of this server. */
export interface HeldRun {
  readonly transfer: StoredTransfer
  readonly worker: string
  /** To be called between batches: tells how far it is. Throws when the run is to be left. */
  readonly onBatch: () => Promise<void>
}

export interface RunnerNeeds {
  readonly db: Database
  readonly signals: Pick<Signals, 'listen'>
  readonly clock: Clock
  readonly log: Log
  /** Does all that is left of a run. */
  readonly work: (run: HeldRun) => Promise<void>
}

export interface Runner {
  /** Resolves when nothing is under way here. */
  close(): Promise<void>
}

const LOOK_MS = 5_000
const RENEW_MS = 10_000
const TELL_MS = 250
const RETRY_S = 3
const SWEEP_MS = 600_000
const MOST_ATTEMPTS = 10

const toEnd = (error: unknown, attempts: number): Fault | undefined => {
  if (error instanceof FileFault) return error.fault
  if (error instanceof NoLongerAllowed) return toFault('access.denied')
  return attempts >= MOST_ATTEMPTS ? toFault('file.gave-up') : undefined
}

/** Works on runs, one at a time, whichever server they were asked of. */
export function createRunner({ db, signals, clock, log, work }: RunnerNeeds): Runner {
  const worker = randomUUID()
  let closed = false
  let working: Promise<void> | undefined
  let askedAgain = false

  async function end(transfer: StoredTransfer, error: unknown): Promise<void> {
    const { id, attempts } = transfer
    if (error instanceof LostRun) return
    if (error instanceof Closing) {
      await giveBack(db, id, worker)
      return
    }
    const fault = toEnd(error, attempts)
    if (!(error instanceof FileFault)) log.warn({ err: error, transfer: id, attempts }, 'an import failed')
    if (fault) await proceed(db, id, worker, 'fault', fault)
    else await release(db, id, worker, RETRY_S)
    await tellProgress(db, id)
  }

  async function run(transfer: StoredTransfer): Promise<void> {
    const { id } = transfer
    let toldAt = 0
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
          if (clock.now() - toldAt < TELL_MS) return
          toldAt = clock.now()
          await tellProgress(db, id)
        },
      })
      await tellProgress(db, id)
    } catch (error) {
      await end(transfer, error)
    } finally {
      timer.cancel()
    }
  }

  async function workOff(): Promise<void> {
    do {
      askedAgain = false
      for (;;) {
        const transfer = closed ? undefined : await claim(db, worker)
        if (!transfer) break
        await run(transfer)
      }
    } while (askedAgain && !closed)
  }

  function wake(): void {
    if (closed) return
    if (working) {
      askedAgain = true
      return
    }
    working = workOff()
      // It is looked for again before long.
      .catch((err: unknown) => log.warn({ err }, 'could not work on imports'))
      .finally(() => {
        working = undefined
      })
  }

  const stopListening = signals.listen('transfer_changed', wake)
  let look: Timer
  const lookAgain = (): void => {
    wake()
    look = clock.setTimeout(lookAgain, LOOK_MS)
  }
  look = clock.setTimeout(lookAgain, 0)
  let sweeping: Promise<void> = Promise.resolve()
  let nextSweep: Timer
  const sweep = (): void => {
    sweeping = sweepTransfers(db, clock.now()).catch((err: unknown) =>
      log.warn({ err }, 'could not sweep imports'),
    )
    nextSweep = clock.setTimeout(sweep, SWEEP_MS)
  }
  nextSweep = clock.setTimeout(sweep, 0)

  return {
    async close() {
      closed = true
      stopListening()
      look.cancel()
      nextSweep.cancel()
      await Promise.all([working, sweeping])
    },
  }
}
