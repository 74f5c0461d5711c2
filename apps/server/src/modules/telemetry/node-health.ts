import type { NodeHealth } from '@isotherm/contract/endpoints/tree'
import type { NodeKey } from '@isotherm/contract/tree'
import type { Scope } from '../../platform/scope.ts'
import type { NetworkService } from '../network/index.ts'
import type { DeviceCounts } from './device-counts.ts'

/** How many devices that do not speak, or are not believed, make a caution an alarm: half of all. */
const ALARM_SHARE = 0.5

export function toHealth({ devCount, silentCount, badCount }: DeviceCounts): NodeHealth['health'] {
  if (devCount === 0) return 'none'
  const unwell = silentCount + badCount
  if (unwell === 0) return 'good'
  return unwell >= devCount * ALARM_SHARE ? 'alarm' : 'caution'
}

const add = (left: DeviceCounts, right: DeviceCounts): DeviceCounts => ({
  devCount: left.devCount + right.devCount,
  silentCount: left.silentCount + right.silentCount,
  badCount: left.badCount + right.badCount,
})

const nothing: DeviceCounts = { devCount: 0, silentCount: 0, badCount: 0 }

/**
 * How the devices below each node are, of those the scope covers: a node that only leads to granted subtrees
 * counts these alone.
 */
export const createNodeHealth =
  (network: Pick<NetworkService, 'findParts'>, openCounts: () => Promise<(path: string) => DeviceCounts>) =>
  async (scope: Scope, keys: readonly NodeKey[]): Promise<NodeHealth[]> => {
    const [parts, countDevices] = await Promise.all([network.findParts(scope, keys), openCounts()])
    return [...parts].map(([node, paths]) => {
      const counts = paths.map(countDevices).reduce(add, nothing)
      return { node, health: toHealth(counts), ...counts }
    })
  }
