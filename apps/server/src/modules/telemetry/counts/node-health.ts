import { getDataLastFromNodeList } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { NodeHealth } from '@isotherm/contract/endpoints/network/tree'
import type { NodeKey } from '@isotherm/contract/tree'
import type { Caller } from '../../../platform/http/call.ts'
import type { NetworkService } from '../../network/index.ts'
import type { DeviceCounts } from './device-counts.ts'

/** Share of devices that are silent or bad at which the health is `alarm` instead of `caution`. */
const ALARM_SHARE = 0.5

export function toHealth({
  devCount,
  silentCount,
  badCount,
}: Omit<DeviceCounts, 'unknownCount'>): NodeHealth['health'] {
  if (devCount === 0) return 'none'
  const unwell = silentCount + badCount
  if (unwell === 0) return 'good'
  return unwell >= devCount * ALARM_SHARE ? 'alarm' : 'caution'
}

const add = (left: DeviceCounts, right: DeviceCounts): DeviceCounts => ({
  devCount: left.devCount + right.devCount,
  silentCount: left.silentCount + right.silentCount,
  unknownCount: left.unknownCount + right.unknownCount,
  badCount: left.badCount + right.badCount,
})

const nothing: DeviceCounts = { devCount: 0, silentCount: 0, unknownCount: 0, badCount: 0 }

/** Counts describe devices, so they need the permission for newest values. All users see the nodes. */
const mayWatch = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  getDataLastFromNodeList.access.anyOf.some((permission) => permissions.has(permission))

/**
 * Health of the devices below each node, as far as the caller's scope covers them: a node above granted subtrees counts
 * only these. A caller without the permission gets no counts.
 */
export const createNodeHealth =
  (network: Pick<NetworkService, 'findParts'>, openCounts: () => Promise<(path: string) => DeviceCounts>) =>
  async (caller: Pick<Caller, 'permissions' | 'scope'>, keys: readonly NodeKey[]): Promise<NodeHealth[]> => {
    const [parts, countDevices] = await Promise.all([
      network.findParts(caller.scope, keys),
      mayWatch(caller) ? openCounts() : () => nothing,
    ])
    return [...parts].map(([node, paths]) => {
      const counts = paths.map(countDevices).reduce(add, nothing)
      return { node, health: toHealth(counts), ...counts }
    })
  }
