import type { Clock } from '../../../platform/clock.ts'
import type { DeviceDirectory } from '../../devices/index.ts'

export interface CachedCountingOptions {
  readonly directory: Pick<DeviceDirectory, 'onPlaced'>
  readonly clock: Pick<Clock, 'now' | 'setTimeout'>
}

/** How long a counting is kept once it is done. Looking at 240,000 devices anew takes some 20 ms, at 12,000,000 a second. */
const KEEP_MS = 3_000
/** Who was given an older counting is answered first, before a newer one begins. */
const LATER_MS = 1_000

/** What is counted; who can do with a counting up to so many ms old need not wait for a newer one, which begins then. */
export type Count<Counted> = (mayBeMs?: number) => Promise<Counted>

/**
 * What is counted of all devices, and kept for a moment. One counting at a time; who asks meanwhile
 * waits for it, and it starts again when devices were placed in between. A counting is told how old what it counts from may
 * be: that of somebody who has nothing to show meanwhile as old as they can do with, any other is of now.
 */
export function createCachedCounting<Counted>(
  { directory, clock }: CachedCountingOptions,
  countAnew: (mayBeMs?: number) => Promise<Counted>,
): Count<Counted> {
  let kept: { readonly counted: Counted; readonly at: number } | undefined
  let counting: Promise<Counted> | undefined
  let isPlanned = false
  let placings = 0
  // Paths asked for are those of today: sums over where devices stood before would say that nothing is there.
  directory.onPlaced(() => {
    placings += 1
    kept = undefined
  })

  async function count(mayBeMs?: number): Promise<Counted> {
    for (;;) {
      const placingsBefore = placings
      const counted = await countAnew(mayBeMs)
      if (placings === placingsBefore) {
        kept = { counted, at: clock.now() }
        return counted
      }
    }
  }

  function begin(mayBeMs?: number): Promise<Counted> {
    counting ??= count(mayBeMs).finally(() => {
      counting = undefined
    })
    return counting
  }

  const ageOfKept = (): number => (kept ? clock.now() - kept.at : Number.POSITIVE_INFINITY)

  function beginLater(): void {
    if (isPlanned) return
    isPlanned = true
    clock.setTimeout(() => {
      isPlanned = false
      // Whoever needs it as it is now is told of what fails.
      if (ageOfKept() >= KEEP_MS) begin().catch(() => undefined)
    }, LATER_MS)
  }

  return async (mayBeMs = KEEP_MS) => {
    const ageMs = ageOfKept()
    if (!kept || ageMs >= Math.max(KEEP_MS, mayBeMs)) return begin(mayBeMs)
    if (ageMs >= KEEP_MS) beginLater()
    return kept.counted
  }
}
