/** The store is available but refuses rows because of their content. A retry cannot succeed. */
export class RefusedRowsError extends Error {
  override readonly name = 'RefusedRowsError'
}

export const isRefusedRows = (error: unknown): error is RefusedRowsError => error instanceof RefusedRowsError
