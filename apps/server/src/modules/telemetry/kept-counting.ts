import type { Clock } from '../../platform/clock.ts'
import type { DeviceDirectory } from '../devices/index.ts'

export interface KeptCountingNeeds {
  readonly directory: Pick<DeviceDirectory, 'onPlaced'>
  readonly clock: Pick<Clock, 'now'>
}

/** How long a counting is kept once it is done. Looking at 240,000 devices anew takes some 300 ms. */
const KEEP_MS = 3_000

/** What is counted; who can do with a counting up to so many ms old need not wait for a newer one, which then begins. */
export type Count<Counted> = (mayBeMs?: number) => Promise<Counted>

/**
 * What is counted of all devices, and kept for a moment. One counting at a time; who asks meanwhile
 * waits for it, and it starts again when devices were placed in between.
 */
export function createKeptCounting<Counted>(
  { directory, clock }: KeptCountingNeeds,
  countAnew: () => Promise<Counted>,
): Count<Counted> {
  let kept: { readonly counted: Counted; readonly at: number } | undefined
  let counting: Promise<Counted> | undefined
  let placings = 0
  // Paths asked for are those of today: sums over where devices stood before would say that nothing is there.
  directory.onPlaced(() => {
    placings += 1
    kept = undefined
  })

  async function count(): Promise<Counted> {
    for (;;) {
      const placingsBefore = placings
      const counted = await countAnew()
      if (placings === placingsBefore) {
        kept = { counted, at: clock.now() }
        return counted
      }
    }
  }

  return async (mayBeMs = KEEP_MS) => {
    const ageMs = kept ? clock.now() - kept.at : Number.POSITIVE_INFINITY
    if (kept && ageMs < KEEP_MS) return kept.counted
    counting ??= count().finally(() => {
      counting = undefined
    })
    if (!kept || ageMs >= mayBeMs) return counting
    // Whoever needs it as it is now is told of what fails.
    counting.catch(() => undefined)
    return kept.counted
  }
}
