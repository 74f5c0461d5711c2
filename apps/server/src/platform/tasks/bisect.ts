/** What cannot be done for one item alone, and why. */
export interface Refused<Item> {
  readonly item: Item
  readonly error: unknown
}

/**
 * Does something for items together and, where that is refused for what some of them are, for halves of them: it is done
 * for all but those that are refused one by one, which are answered. Rejects with any other failure; what was done
 * until then stays done.
 */
export async function byHalves<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<void>,
  isRefusal: (error: unknown) => boolean,
): Promise<readonly Refused<Item>[]> {
  try {
    await work(items)
    return []
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [item, ...others] = items
    if (item === undefined) throw error
    if (others.length === 0) return [{ item, error }]
    const middle = Math.ceil(items.length / 2)
    const first = await byHalves(items.slice(0, middle), work, isRefusal)
    return [...first, ...(await byHalves(items.slice(middle), work, isRefusal))]
  }
}
