import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'

const REPORT_EVERY_MS = 60_000

/** Does `work`, and logs once a minute that it still runs: the launcher ends a start that prints nothing. */
export async function reportWhile<Result>(
  { clock, log }: { readonly clock: Pick<Clock, 'setTimeout'>; readonly log: Log },
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let minutes = 0
  const report = (): void => {
    minutes += 1
    log.info({ minutes }, `still ${name}`)
    timer = clock.setTimeout(report, REPORT_EVERY_MS)
  }
  let timer = clock.setTimeout(report, REPORT_EVERY_MS)
  try {
    return await work()
  } finally {
    timer.cancel()
  }
}
