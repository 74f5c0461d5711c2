import { type DeviceGroup, getCtlGroup } from '@isotherm/contract/endpoints/devices/device-groups'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { listAll } from '../api/list-all.ts'

/** Groups per page: the maximum of the call. */
const PAGE_GROUPS = 100

export const deviceGroupsKey = ['device-groups'] as const

export const toGroupKey = ({ id }: DeviceGroup): string => String(id)

/** The device groups that the user may see, by name. */
export async function loadDeviceGroups(signal: AbortSignal | undefined) {
  const datalist = await listAll(
    (limiter) => call(getCtlGroup, { limiter }, { signal }),
    toGroupKey,
    PAGE_GROUPS,
  )
  return { datalist, total: datalist.length }
}

export const deviceGroupsQuery = queryOptions({
  queryKey: deviceGroupsKey,
  queryFn: ({ signal }) => loadDeviceGroups(signal),
})
