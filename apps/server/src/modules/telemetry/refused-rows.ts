/** The store is there and refuses rows for what they hold: however often they come, it will not take them. */
export class RefusedRowsError extends Error {
  override readonly name = 'RefusedRowsError'
}

/**
 * Stores items together and, where the store refuses some of them for what they hold, by halves: all that it takes is
 * stored, and those that it refuses one by one are answered. Rejects with any other failure.
 */
export async function storeByHalves<Item>(
  items: readonly Item[],
  insert: (items: readonly Item[]) => Promise<void>,
): Promise<readonly Item[]> {
  try {
    await insert(items)
    return []
  } catch (error) {
    if (!(error instanceof RefusedRowsError)) throw error
    if (items.length === 1) return items
    const middle = Math.ceil(items.length / 2)
    const first = await storeByHalves(items.slice(0, middle), insert)
    return [...first, ...(await storeByHalves(items.slice(middle), insert))]
  }
}
