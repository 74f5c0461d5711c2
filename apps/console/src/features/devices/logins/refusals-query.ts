import { getGatewayRefusals } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Most refusals that are shown at once; the newest come first. */
const SHOWN = 100

/** Newest refusals of a gateway, or of all gateways of the user. */
export const refusalsQuery = (deviceId?: number) =>
  queryOptions({
    queryKey: ['devices', 'refusals', deviceId ?? 'all'],
    queryFn: ({ signal }) =>
      call(
        getGatewayRefusals,
        { limiter: { page: 1, size: SHOWN }, ...(deviceId !== undefined && { deviceId }) },
        { signal, quiet: true },
      ),
    refetchInterval: MINUTE_MS,
  })
