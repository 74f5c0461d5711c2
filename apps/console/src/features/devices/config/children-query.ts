import type { Device } from '@isotherm/contract/devices'
import { getDev } from '@isotherm/contract/endpoints/devices/devices'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** A gateway as its configuration names it. */
export type GatewayName = Pick<Device, 'id' | 'imei' | 'name'>

/** Maximum number of devices that a choice offers; the user enters others by their serial. */
const MAX_OFFERED = 1_000

/** Devices in use behind a gateway: those that its lines may have. */
export const childrenQuery = ({ id, imei }: GatewayName) =>
  queryOptions({
    queryKey: ['devices', 'behind', id],
    queryFn: async ({ signal }): Promise<readonly Device[]> => {
      const filter = [{ field: 'concentrator', cond: 'eq' as const, vstd: imei }]
      const limiter = { page: 1, size: MAX_OFFERED }
      const { datalist } = await call(getDev, { filter, use: 'in-use', limiter }, { signal })
      // Serials are unique per company only.
      return datalist.filter(({ concentratorId }) => concentratorId === id)
    },
  })
