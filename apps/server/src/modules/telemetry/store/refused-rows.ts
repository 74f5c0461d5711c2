/** The store is there and refuses rows for what they hold: however often they come, it will not take them. */
export class RefusedRowsError extends Error {
  override readonly name = 'RefusedRowsError'
}

export const isRefusedRows = (error: unknown): error is RefusedRowsError => error instanceof RefusedRowsError
