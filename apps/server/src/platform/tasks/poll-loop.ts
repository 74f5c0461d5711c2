import type { Clock, Timer } from '../clock.ts'
import { runAsCaller } from './current-caller.ts'

export interface PollLoopOptions {
  readonly clock: Pick<Clock, 'setTimeout'>
  /** One run of the loop: handles the work that is due now. */
  readonly work: () => Promise<void>
  readonly onError: (error: unknown) => void
  /** Pause between the end of one run and the start of the next, ms. */
  readonly pauseMs: number
  /** Delay of the first run, ms. Default: 0. */
  readonly firstMs?: number
  /** Delay of a run after `wake`, ms; all wakes within it share the run. Default: 0. */
  readonly gatherMs?: number
}

/** Work that runs repeatedly, one run at a time. */
export interface PollLoop {
  /** Runs soon instead of after the pause. During a run, schedules another one, because the run may have missed the work. */
  wake(): void
  /** Ends the loop after the current run. */
  close(): Promise<void>
}

/** Starts a poll loop. A failed run is reported to `onError` and the loop goes on. */
export function startPollLoop({
  clock,
  work,
  onError,
  pauseMs,
  firstMs = 0,
  gatherMs = 0,
}: PollLoopOptions): PollLoop {
  let timer: Timer | undefined
  let current: Promise<void> = Promise.resolve()
  let isWakePending = false
  let isRunning = false
  let isClosed = false

  async function run(): Promise<void> {
    isRunning = true
    isWakePending = false
    await work().catch(onError)
    isRunning = false
    if (!isClosed) schedule(isWakePending ? gatherMs : pauseMs)
  }

  function schedule(delayMs: number): void {
    timer?.cancel()
    timer = clock.setTimeout(() => {
      // A call may have woken the loop: its work is nobody's all the same.
      current = runAsCaller('', run)
    }, delayMs)
  }

  schedule(firstMs)
  return {
    wake() {
      if (!isRunning && !isClosed && !isWakePending) schedule(gatherMs)
      isWakePending = true
    },
    async close() {
      isClosed = true
      timer?.cancel()
      await current
    },
  }
}
