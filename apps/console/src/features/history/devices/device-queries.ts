import type { Device, DeviceKind } from '@isotherm/contract/devices'
import { deviceKind } from '@isotherm/contract/devices'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import type { NodeKey } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Devices that the picker lists at a time. */
const CHOICES = 50
const FRESH_MS = 5 * MINUTE_MS
/** Conditions of one filter. */
const MAX_WORDS = 16

/** Devices by their ids, of any kind. Retired devices and devices outside the access of the user are missing. */
export const devicesByIdQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['history', 'devices by id', ids],
    queryFn: async ({ signal }): Promise<readonly Device[]> => {
      const filter = [{ field: 'id', cond: 'in' as const, vstd: ids.join() }]
      const input = { kinds: deviceKind.options, filter, limiter: { page: 1, size: 100 } }
      const { datalist } = await call(getThreeSelectNewRealDev, input, { signal })
      return datalist.map(({ device }) => device)
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })

/** Finds devices of a kind below nodes: all words in the address, or else the text in the name or a number. */
export const choicesQuery = (nodes: readonly NodeKey[], kind: DeviceKind, text: string) =>
  queryOptions({
    queryKey: ['history', 'choices', nodes, kind, text],
    queryFn: async ({ signal }) => {
      const words = text.split(/\s+/).filter((word) => word !== '')
      const filter = words
        .slice(0, MAX_WORDS)
        .map((vstd) => ({ field: 'nestaddr', cond: 'like' as const, vstd }))
      const limiter = { page: 1, size: CHOICES }
      const common = { nodes: [...nodes], kinds: [kind], limiter }
      const byAddress = await call(getThreeSelectNewRealDev, { ...common, filter }, { signal })
      const found =
        byAddress.total > 0 || words.length === 0
          ? byAddress
          : await call(getThreeSelectNewRealDev, { ...common, text }, { signal })
      return { devices: found.datalist.map(({ device }) => device), total: found.total }
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
