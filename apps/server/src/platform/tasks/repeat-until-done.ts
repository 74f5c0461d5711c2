export interface RepeatOptions {
  /** Largest number of items that one step handles. A step that handles fewer is the last one. */
  readonly batchSize: number
  /** Checked before each step; true ends the loop early. */
  readonly isStopped?: () => boolean
}

/**
 * Repeats a step that works in batches until no work is left. `step` returns the number of items it handled.
 * Returns the total. Rejects with the error of the first step that fails.
 */
export async function repeatUntilDone(
  step: () => Promise<number>,
  { batchSize, isStopped = () => false }: RepeatOptions,
): Promise<number> {
  let total = 0
  let handled = batchSize
  while (handled >= batchSize && !isStopped()) {
    handled = await step()
    total += handled
  }
  return total
}
