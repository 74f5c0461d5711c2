import type { Clock } from '../../../platform/clock.ts'

/** Stores what comes within a moment together, one group after the other: few big parts, not many small ones. */
export interface Gather<Item, Outcome> {
  /** Settles as the storing of the group does that these are put into. */
  add(items: readonly Item[]): Promise<Outcome>
}

export function createGather<Item, Outcome>(
  clock: Pick<Clock, 'setTimeout'>,
  gatherMs: number,
  store: (items: readonly Item[]) => Promise<Outcome>,
): Gather<Item, Outcome> {
  let gathering: { readonly items: Item[]; readonly outcome: Promise<Outcome> } | undefined
  let running: Promise<unknown> = Promise.resolve()

  const gatherSome = (): Promise<void> =>
    new Promise((resolve) => {
      clock.setTimeout(resolve, gatherMs)
    })

  async function storeAfter(before: Promise<unknown>, items: readonly Item[]): Promise<Outcome> {
    await Promise.all([before, gatherSome()])
    gathering = undefined
    return store(items)
  }

  function begin() {
    const items: Item[] = []
    const outcome = storeAfter(running, items)
    running = outcome.catch(() => undefined)
    return { items, outcome }
  }

  return {
    add(items) {
      gathering ??= begin()
      gathering.items.push(...items)
      return gathering.outcome
    },
  }
}
