/** Work that can be put down after every step, so that the browser has time for the user in between. */
export type Steps<Result> = Generator<undefined, Result>

/** Time that work takes before the browser gets a moment, ms: less than a frame. */
const SLICE_MS = 10

/** What the slices are measured and parted with. */
export interface SlicePorts {
  /** Any clock that does not go back, ms. */
  readonly now: () => number
  /** Comes back once the browser had time for something else. */
  readonly pause: () => Promise<void>
}

/** Does the steps, with a pause whenever they have taken their time. */
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
