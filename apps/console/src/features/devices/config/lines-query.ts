import type { Device } from '@isotherm/contract/devices'
import { getGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** What a gateway reads and commands. */
export const linesQuery = ({ id, imei }: Pick<Device, 'id' | 'imei'>) =>
  queryOptions({
    queryKey: ['devices', 'gateway-lines', id],
    queryFn: ({ signal }) => call(getGatewayConfig, { imei }, { signal, quiet: true }),
    retry: false,
  })
