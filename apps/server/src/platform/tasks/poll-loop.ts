import type { Clock, Timer } from '../clock.ts'

export interface RoundsNeeds {
  readonly clock: Pick<Clock, 'setTimeout'>
  /** What there is to do now. */
  readonly work: () => Promise<void>
  readonly failed: (error: unknown) => void
  /** From the end of one round to the beginning of the next when nobody wakes it, ms. */
  readonly pauseMs: number
  /** Wakes of so short a time are one round, ms. */
  readonly gatherMs: number
}

/** Work that is looked for again and again, one round at a time. */
export interface Rounds {
  /** Looks now instead of at the next round; again after the present one, which may have looked already. */
  wake(): void
  /** Ends after the present round. */
  close(): Promise<void>
}

/** Begins at once. A round that fails is told of, and the next comes all the same. */
export function startRounds({ clock, work, failed, pauseMs, gatherMs }: RoundsNeeds): Rounds {
  let timer: Timer | undefined
  let round: Promise<void> = Promise.resolve()
  let isWoken = false
  let isBusy = false
  let isClosed = false

  async function takeRound(): Promise<void> {
    isBusy = true
    isWoken = false
    await work().catch(failed)
    isBusy = false
    if (!isClosed) plan(isWoken ? gatherMs : pauseMs)
  }

  function plan(delayMs: number): void {
    timer?.cancel()
    timer = clock.setTimeout(() => {
      round = takeRound()
    }, delayMs)
  }

  plan(0)
  return {
    wake() {
      if (!isBusy && !isClosed && !isWoken) plan(gatherMs)
      isWoken = true
    },
    async close() {
      isClosed = true
      timer?.cancel()
      await round
    },
  }
}
