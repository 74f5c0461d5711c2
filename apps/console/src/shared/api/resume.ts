import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/**
 * Sends again what failed for want of a connection: queries in use whose last failure was no answer. What the
 * server refused stays refused, and orders are never repeated: whoever gave one looks and decides.
 */
export const resumeQueries = (queries: QueryClient): Promise<void> =>
  queries.refetchQueries({
    type: 'active',
    predicate: ({ state: { error } }) => error instanceof ApiError && !error.isRefusal,
  })
