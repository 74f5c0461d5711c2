import type { Clock } from '../../../platform/clock.ts'

/**
 * Collects items for a short time and stores them as one group, one group after the other: a few big parts are better
 * for the engine than many small ones.
 */
export interface WriteGroups<Item, Outcome> {
  /** Settles like the write of the group that contains the items. */
  add(items: readonly Item[]): Promise<Outcome>
}

export function createWriteGroups<Item, Outcome>(
  clock: Pick<Clock, 'setTimeout'>,
  gatherMs: number,
  store: (items: readonly Item[]) => Promise<Outcome>,
): WriteGroups<Item, Outcome> {
  let gathering: { readonly items: Item[]; readonly outcome: Promise<Outcome> } | undefined
  let running: Promise<unknown> = Promise.resolve()

  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      clock.setTimeout(resolve, gatherMs)
    })

  async function storeAfter(before: Promise<unknown>, items: readonly Item[]): Promise<Outcome> {
    await Promise.all([before, wait()])
    gathering = undefined
    return store(items)
  }

  function startGroup() {
    const items: Item[] = []
    const outcome = storeAfter(running, items)
    running = outcome.catch(() => undefined)
    return { items, outcome }
  }

  return {
    add(items) {
      gathering ??= startGroup()
      gathering.items.push(...items)
      return gathering.outcome
    },
  }
}
