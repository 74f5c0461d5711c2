/** An item that was rejected by itself, with the error. */
export interface RejectedItem<Item> {
  readonly item: Item
  readonly error: unknown
}

/**
 * Runs `work` on all items. If it rejects them because of some bad items (`isRejection`), splits the items in half and
 * retries each half. Returns the items that are rejected by themselves; `work` has run on all others. Any other failure
 * rejects; items that were already handled are not handled again.
 */
export async function bisect<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<void>,
  isRejection: (error: unknown) => boolean,
): Promise<readonly RejectedItem<Item>[]> {
  try {
    await work(items)
    return []
  } catch (error) {
    if (!isRejection(error)) throw error
    const [item, ...others] = items
    if (item === undefined) throw error
    if (others.length === 0) return [{ item, error }]
    const middle = Math.ceil(items.length / 2)
    const first = await bisect(items.slice(0, middle), work, isRejection)
    return [...first, ...(await bisect(items.slice(middle), work, isRejection))]
  }
}
