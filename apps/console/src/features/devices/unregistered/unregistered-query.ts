import { getUnregisteredDevices } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Most devices that are shown at once; those that were last received come first. */
const SHOWN = 100
/** Refetch interval: a person at a meter waits until its data arrive. */
const REFRESH_MS = 10 * SECOND_MS

/** All lists of unregistered devices. */
export const UNREGISTERED = ['devices', 'unregistered'] as const

/** Unregistered devices that a gateway receives, or all gateways of the user. */
export const unregisteredQuery = (deviceId?: number) =>
  queryOptions({
    queryKey: [...UNREGISTERED, deviceId ?? 'all'],
    queryFn: ({ signal }) =>
      call(
        getUnregisteredDevices,
        { limiter: { page: 1, size: SHOWN }, ...(deviceId !== undefined && { deviceId }) },
        { signal, quiet: true },
      ),
    refetchInterval: REFRESH_MS,
  })

/**
 * Number of unregistered devices behind all gateways of the user. Requests one row only, because the answer contains
 * the total.
 */
export const unregisteredCountQuery = queryOptions({
  queryKey: [...UNREGISTERED, 'count'],
  queryFn: async ({ signal }) =>
    (await call(getUnregisteredDevices, { limiter: { page: 1, size: 1 } }, { signal, quiet: true })).total,
  refetchInterval: REFRESH_MS,
})
