import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/api/api-error.ts'

const MOST_RETRIES = 2

/** What the application said will not change by asking again; a lost connection may. */
const isWorthRetrying = (count: number, error: unknown): boolean =>
  count < MOST_RETRIES &&
  error instanceof ApiError &&
  (error.code === 'network.failed' || error.code === 'server.unavailable')

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 30_000, refetchOnWindowFocus: false } },
})
