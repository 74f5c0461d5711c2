import type { Clock, Timer } from '../../../platform/clock.ts'
import { createIdColumn } from '../../../platform/columns/id-column.ts'
import type { SteadyClock } from '../../../platform/tasks/steady-clock.ts'

/** Ids that wait for an instant. They are handed over in the second after it. */
export interface DueQueue {
  /** Schedules an id for `at` (ms of the steady clock). If it already waits for an earlier second, that one stays. */
  put(id: number, at: number): void
  start(): void
  close(): void
}

/** Ids that are handed over in one time slice. */
const AT_ONCE = 10_000
const TICK_MS = 1_000
/** Later than any second of the calendar. */
const NONE = 0xffff_ffff

/**
 * A calendar of seconds. An id waits in one second only. Its instant may move on while it waits, so the receiver
 * schedules it again if necessary.
 */
export function createDueQueue(
  clock: Pick<Clock, 'setTimeout'>,
  steady: Pick<SteadyClock, 'now'>,
  take: (ids: readonly number[]) => void,
): DueQueue {
  const seconds = new Map<number, number[]>()
  const secondOf = createIdColumn(NONE, Uint32Array)
  let next = Math.floor(steady.now() / TICK_MS)
  let timer: Timer | undefined

  function takeDue(): readonly number[] {
    const last = Math.floor(steady.now() / TICK_MS)
    const due: number[] = []
    for (; next <= last && due.length < AT_ONCE; next += 1) {
      for (const id of seconds.get(next) ?? []) {
        if (secondOf.get(id) !== next) continue
        secondOf.put(id, NONE)
        due.push(id)
      }
      seconds.delete(next)
    }
    return due
  }

  function tick(): void {
    const due = takeDue()
    const isBehind = next <= Math.floor(steady.now() / TICK_MS)
    timer = clock.setTimeout(tick, isBehind ? 0 : TICK_MS)
    if (due.length > 0) take(due)
  }

  return {
    put(id, at) {
      // The second after `at`, so that the instant has passed when the id is handed over.
      const second = Math.max(next, Math.ceil(at / TICK_MS))
      const waits = secondOf.get(id)
      if (waits <= second) return
      secondOf.put(id, second)
      const idsOfSecond = seconds.get(second)
      if (idsOfSecond) idsOfSecond.push(id)
      else seconds.set(second, [id])
    },
    start() {
      timer = clock.setTimeout(tick, TICK_MS)
    },
    close: () => timer?.cancel(),
  }
}
