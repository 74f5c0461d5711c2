/** Work in steps. It can pause after each step, so that the browser stays responsive. */
export type Steps<Result> = Generator<undefined, Result>

/** Length of a time slice, ms: less than a frame. */
const SLICE_MS = 10

/** Clock and pause of the time slices. */
export interface SlicePorts {
  /** A monotonic clock, ms. */
  readonly now: () => number
  /** Resolves after the browser had time for other tasks. */
  readonly pause: () => Promise<void>
}

/** Runs the steps, with a pause after each time slice. */
export async function runInSlices<Result>(steps: Steps<Result>, { now, pause }: SlicePorts): Promise<Result> {
  let since = now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (now() - since < SLICE_MS) continue
    await pause()
    since = now()
  }
}
