import { totalmem } from 'node:os'

/** Share of the memory for the heap. The rest is for what the server stores outside of it, and for the engines beside it. */
const SHARE = 0.5
/** Limit that Node sets by itself on a machine with plenty of memory, MB. */
const NODE_LIMIT_MB = 4_096

/** Memory of the machine or of this service's control group, whichever is less, bytes. */
export const findMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * Options of Node for the server's heap. Node ends a process above 4 GB however much memory the machine has, which a
 * company of a million households needs. A limit in `NODE_OPTIONS` takes precedence.
 */
export function toHeapOptions(memory: number, nodeOptions = ''): readonly string[] {
  const mb = Math.floor((memory * SHARE) / 2 ** 20)
  return mb <= NODE_LIMIT_MB || /max[-_]old[-_]space[-_]size/.test(nodeOptions)
    ? []
    : [`--max-old-space-size=${mb}`]
}
