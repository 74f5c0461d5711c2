import { getMapPlaces } from '@isotherm/contract/endpoints/network/map'
import { type NodeKey, treeLevels } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/api/client.ts'
import { listAll } from '../../../../shared/api/list-all.ts'
import { balancingKeys } from '../../balancing-keys.ts'
import type { PlacedBuilding } from './deviation-plan.ts'

/** Positions of buildings do not change. */
const FRESH_MS = 5 * MINUTE_MS

/** Positions of the buildings below a node; requires permission for the map. */
export const placesQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...balancingKeys.all, 'places', node],
    queryFn: async ({ signal }): Promise<readonly PlacedBuilding[]> => {
      const places = await listAll(
        (limiter) => call(getMapPlaces, { nodes: [node], limiter }, { signal, quiet: true }),
        ({ node: key }) => key,
      )
      return places.filter(({ level }) => level >= treeLevels.building)
    },
    staleTime: FRESH_MS,
    retry: false,
  })
