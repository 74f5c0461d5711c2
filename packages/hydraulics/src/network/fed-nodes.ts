import type { Network } from './network.ts'

export interface Reach {
  /** 1 if open links connect the node to a node with a given pressure. */
  readonly isFed: Uint8Array
  /** 1 for links without flow: shut, or between nodes that are not fed. */
  readonly isStill: Uint8Array
  readonly queue: Int32Array
}

/** Whether a link is open, ignoring its check valve. */
function isOpen(network: Network, link: number): boolean {
  if (network.isShut[link] === 1) return false
  if (network.isPump[link] === 1) return (network.speed[link] ?? 0) > 0
  return (network.resistance[link] ?? 0) < Number.POSITIVE_INFINITY
}

/** Finds the nodes that open links connect to a given pressure. All other nodes and their links have no flow. */
export function markFed(network: Network, reach: Reach, isCheckShut: Uint8Array): void {
  const { nodeCount, linkCount, from, to, linkStart, linkAt, isGiven } = network
  const { isFed, isStill, queue } = reach
  for (let link = 0; link < linkCount; link++)
    isStill[link] = isOpen(network, link) && isCheckShut[link] === 0 ? 0 : 1
  let written = 0
  for (let node = 0; node < nodeCount; node++) {
    isFed[node] = isGiven[node] ?? 0
    if (isFed[node] === 1) queue[written++] = node
  }
  for (let read = 0; read < written; read++) {
    const node = queue[read] ?? 0
    for (let at = linkStart[node] ?? 0; at < (linkStart[node + 1] ?? 0); at++) {
      const link = linkAt[at] ?? 0
      const other = (from[link] === node ? to[link] : from[link]) ?? 0
      if (isStill[link] === 1 || isFed[other] === 1) continue
      isFed[other] = 1
      queue[written++] = other
    }
  }
  for (let link = 0; link < linkCount; link++) if (isFed[from[link] ?? 0] === 0) isStill[link] = 1
}
