import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'

/** Up to this many valves are subscribed by their own nodes, more by the nodes of the page. */
export const MAX_WATCHED = 200

/**
 * The nodes to subscribe while an order runs; undefined if the selection no longer exists. Without valves these are the
 * nodes of the page, because an empty list would mean everything.
 */
export function toWatched(
  devices: readonly Pick<Device, 'node'>[],
  nodes: readonly NodeKey[] | undefined,
): readonly NodeKey[] | undefined {
  if (nodes === undefined) return undefined
  if (devices.length === 0 || devices.length > MAX_WATCHED) return nodes
  return [...new Set(devices.map(({ node }) => node))]
}
