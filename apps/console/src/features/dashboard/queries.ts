import type { Device, DeviceKind } from '@isotherm/contract/devices'
import { getCtlLog } from '@isotherm/contract/endpoints/commands'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/telemetry'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

const PAGE_SIZE = 1_000
const REGISTRY_FRESH_MS = 5 * 60_000
const RECENT_COMMANDS = 8

/** Kinds of device the home page has figures of. */
export const watchedKinds = ['station', 'valve', 'heat-meter', 'room-sensor'] as const satisfies DeviceKind[]

async function fetchDevices(nodes: readonly NodeKey[], signal: AbortSignal): Promise<readonly Device[]> {
  const devices: Device[] = []
  for (let page = 1; ; page++) {
    const input = { nodes: [...nodes], kinds: [...watchedKinds], limiter: { page, size: PAGE_SIZE } }
    const { datalist, total } = await call(getDevsFromPrjTree, input, { signal })
    devices.push(...datalist)
    if (datalist.length === 0 || devices.length >= total) return devices
  }
}

/** Devices of the watched kinds below the nodes; no nodes means all the user is granted. */
export const devicesQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: ['dashboard', 'devices', nodes],
    queryFn: ({ signal }) => fetchDevices(nodes, signal),
    staleTime: REGISTRY_FRESH_MS,
  })

export const recentCommandsKey = ['dashboard', 'commands'] as const

/** The newest commands below the nodes. */
export const recentCommandsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...recentCommandsKey, nodes],
    queryFn: ({ signal }) =>
      call(getCtlLog, { nodes: [...nodes], limiter: { page: 1, size: RECENT_COMMANDS } }, { signal }),
  })
