import type { Device } from '@isotherm/contract/devices'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/real-values'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { REGISTRY_FRESH_MS } from './valves-query.ts'

/** Valves asked for at a time: their ids are one condition, of 2,000 characters at most. */
const AT_ONCE = 100

async function findValves(ids: readonly number[], signal: AbortSignal): Promise<readonly Device[]> {
  const filter = [{ field: 'id', cond: 'in' as const, vstd: ids.join() }]
  const limiter = { page: 1, size: AT_ONCE }
  const { datalist } = await call(getThreeSelectNewRealDev, { kinds: ['valve'], filter, limiter }, { signal })
  return datalist.map(({ device }) => device)
}

/** Valves by their ids wherever they are; one that is retired or not the caller's is missing. */
export const devicesByIdQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['valves', 'devices by id', ids],
    queryFn: async ({ signal }) => {
      const found: Device[] = []
      for (let start = 0; start < ids.length; start += AT_ONCE) {
        found.push(...(await findValves(ids.slice(start, start + AT_ONCE), signal)))
      }
      return found
    },
    staleTime: REGISTRY_FRESH_MS,
  })
