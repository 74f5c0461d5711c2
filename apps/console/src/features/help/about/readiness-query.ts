import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

/** Answer of /readyz. It is public and names no addresses. With status 503 some checks are false. */
const readiness = z.object({
  status: z.enum(['ready', 'not ready']),
  checks: z.record(z.string(), z.boolean()),
})

export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }) => readiness.parse(await (await fetch('/readyz', { signal })).json()),
  // The box states how the server is now.
  staleTime: 0,
  gcTime: 0,
  retry: false,
})
