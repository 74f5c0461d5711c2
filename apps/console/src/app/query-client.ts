import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/api/api-error.ts'

const MOST_RETRIES = 2

/** Retry only a lost connection: a refusal of the server does not change. */
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
      // The server may be on this machine or in a network without Internet, so always try.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // A command is sent at once or fails. One that waits for the network could move valves at an unexpected time.
    mutations: { retry: false, networkMode: 'always' },
  },
})
