import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/**
 * Refetches active queries that failed without an answer. Refused queries stay refused. Commands are never repeated:
 * the user checks and decides.
 */
export const resumeQueries = (queries: QueryClient): Promise<void> =>
  queries.refetchQueries({
    type: 'active',
    predicate: ({ state: { error } }) => error instanceof ApiError && !error.isRefusal,
  })
