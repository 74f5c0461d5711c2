import { getMapPlaces } from '@isotherm/contract/endpoints/map'
import { type NodeKey, treeLevels } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { balancingKeys } from '../balancing-keys.ts'
import type { PlacedBuilding } from './deviation-plan.ts'

/** As many buildings as one page of places holds; larger loops than any. */
const MOST_PLACES = 1_000
/** Buildings do not move. */
const FRESH_MS = 5 * 60_000

/** Where the buildings below a node lie; for whom may see the map. */
export const placesQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...balancingKeys.all, 'places', node],
    queryFn: async ({ signal }): Promise<readonly PlacedBuilding[]> => {
      const input = { nodes: [node], limiter: { page: 1, size: MOST_PLACES } }
      const { datalist } = await call(getMapPlaces, input, { signal, quiet: true })
      return datalist.filter(({ level }) => level >= treeLevels.building)
    },
    staleTime: FRESH_MS,
    retry: false,
  })
