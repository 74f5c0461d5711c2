import { getPumps } from '@isotherm/contract/endpoints/control/pumps'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** A command takes seconds, and its reading some more, ms. */
const ASK_MS = 3_000

/** A station's pump: what it holds, what it may be told, and what it was told last. */
export const pumpQuery = (deviceId: number) =>
  queryOptions({
    queryKey: ['balancing', 'pump', deviceId],
    queryFn: async ({ signal }) => {
      const { datalist } = await call(getPumps, { deviceIds: [deviceId] }, { signal, quiet: true })
      return datalist[0] ?? null
    },
    refetchInterval: ASK_MS,
  })
