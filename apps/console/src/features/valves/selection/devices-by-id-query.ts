import type { Device } from '@isotherm/contract/devices'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { REGISTRY_FRESH_MS } from './valves-query.ts'

/** Valves per request: their ids are one filter condition of at most 2,000 characters. */
const PART_SIZE = 100

async function findValves(ids: readonly number[], signal: AbortSignal): Promise<readonly Device[]> {
  const filter = [{ field: 'id', cond: 'in' as const, vstd: ids.join() }]
  const limiter = { page: 1, size: PART_SIZE }
  const { datalist } = await call(getThreeSelectNewRealDev, { kinds: ['valve'], filter, limiter }, { signal })
  return datalist.map(({ device }) => device)
}

/** Valves by their ids, in the whole company. Retired valves and valves outside the access of the user are missing. */
export const devicesByIdQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['valves', 'devices by id', ids],
    queryFn: async ({ signal }) => {
      const found: Device[] = []
      for (let start = 0; start < ids.length; start += PART_SIZE) {
        found.push(...(await findValves(ids.slice(start, start + PART_SIZE), signal)))
      }
      return found
    },
    staleTime: REGISTRY_FRESH_MS,
  })
