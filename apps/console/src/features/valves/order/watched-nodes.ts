import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'

/** So many valves are watched each at its own node; more of them by the nodes the page shows. */
export const MOST_WATCHED = 200

/**
 * Nodes that an order is followed at; absent when none is to be, because what was selected is gone. Without valves
 * the nodes the page shows count: a list of none would mean everything.
 */
export function toWatched(
  devices: readonly Pick<Device, 'node'>[],
  nodes: readonly NodeKey[] | undefined,
): readonly NodeKey[] | undefined {
  if (nodes === undefined) return undefined
  if (devices.length === 0 || devices.length > MOST_WATCHED) return nodes
  return [...new Set(devices.map(({ node }) => node))]
}
