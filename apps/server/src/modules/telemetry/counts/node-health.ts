import { getDataLastFromNodeList } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { NodeHealth } from '@isotherm/contract/endpoints/network/tree'
import type { NodeKey } from '@isotherm/contract/tree'
import type { Caller } from '../../../platform/http/call.ts'
import type { NetworkService } from '../../network/index.ts'
import type { DeviceCounts } from './device-counts.ts'

/** How many devices that do not speak, or are not believed, make a caution an alarm: half of all. */
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

/** Counts tell of devices, so they are for whom newest values are; everybody signed in sees the nodes. */
const mayWatch = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  getDataLastFromNodeList.access.anyOf.some((permission) => permissions.has(permission))

/**
 * How the devices below each node are, of those the caller's scope covers: a node that only leads to granted
 * subtrees counts these alone. Who may not watch devices is told of none.
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
