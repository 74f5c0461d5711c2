import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/api/api-error.ts'

const MOST_RETRIES = 2

/** What the application said will not change by asking again; a lost connection may. */
const isWorthRetrying = (count: number, error: unknown): boolean =>
  count < MOST_RETRIES &&
  error instanceof ApiError &&
  (error.code === 'network.failed' || error.code === 'server.unavailable')

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthRetrying,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // The server may be on this machine or in a network without Internet: only trying tells.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // An order is sent at once or fails: one kept back until the network returns would surprise the field.
    mutations: { retry: false, networkMode: 'always' },
  },
})
