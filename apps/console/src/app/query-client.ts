import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/api/api-error.ts'

const MAX_RETRIES = 2

/** Only calls without an answer are retried, because a refusal would be repeated. */
const isWorthRetrying = (count: number, error: unknown): boolean =>
  count < MAX_RETRIES &&
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
    // A command is sent at once or fails. If it waited for the network, valves could move at an unexpected time.
    mutations: { retry: false, networkMode: 'always' },
  },
})
