import { getPumps } from '@isotherm/contract/endpoints/control/pumps'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Refetch interval of the pump, ms. A command and its reading take some seconds. */
const REFETCH_MS = 3_000

/** Pump of a station: readings, limits, hold and last command. */
export const pumpQuery = (deviceId: number) =>
  queryOptions({
    queryKey: ['balancing', 'pump', deviceId],
    queryFn: async ({ signal }) => {
      const { datalist } = await call(getPumps, { deviceIds: [deviceId] }, { signal, quiet: true })
      return datalist[0] ?? null
    },
    refetchInterval: REFETCH_MS,
  })
