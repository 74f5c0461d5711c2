import { getSupplies } from '@isotherm/contract/endpoints/control/supplies'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Refetch interval of the supply temperature, ms. A command and its reading take some seconds. */
const REFETCH_MS = 3_000

/** Supply temperature of a station: readings, limits, hold and last command. */
export const supplyQuery = (deviceId: number) =>
  queryOptions({
    queryKey: ['balancing', 'supply', deviceId],
    queryFn: async ({ signal }) => {
      const { datalist } = await call(getSupplies, { deviceIds: [deviceId] }, { signal, quiet: true })
      return datalist[0] ?? null
    },
    refetchInterval: REFETCH_MS,
  })
