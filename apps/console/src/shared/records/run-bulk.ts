/** A record whose action failed, with the error. */
export interface BulkFailure<Row> {
  readonly row: Row
  readonly error: unknown
}

export interface BulkRun<Row> {
  readonly done: number
  readonly failed: readonly BulkFailure<Row>[]
}

/** Calls at a time, so that the server stays free for other users. */
const AT_ONCE = 4

/**
 * Acts on each record, a few at a time. Reports the progress after each. A failure does not end the run; after `signal`
 * aborts, no further record is started.
 */
export async function runBulk<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
  onProgress: (run: BulkRun<Row>) => void,
  signal: AbortSignal,
): Promise<BulkRun<Row>> {
  const waiting = [...rows]
  let run: BulkRun<Row> = { done: 0, failed: [] }
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined && !signal.aborted; row = waiting.shift()) {
      const failure = await act(row).then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      run = {
        done: run.done + 1,
        failed: failure ? [...run.failed, { row, error: failure.error }] : run.failed,
      }
      onProgress(run)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return run
}
