import type { CDPSession, Page } from '@playwright/test'
import { z } from 'zod'

/** Memory of a page that is idle, measured after garbage collection. */
export interface Mark {
  /** Memory of objects, documents and typed arrays, without compiled scripts, MB. */
  readonly objectsMb: number
  /** Memory including compiled scripts, MB. It grows as long as the engine optimises. */
  readonly heapMb: number
  /** Number of DOM nodes of all documents, including documents that are no longer shown. */
  readonly nodes: number
  readonly listeners: number
  /** Number of elements outside any document that scripts still reference. */
  readonly detached: number
}

/** Value of `detachedness` in a heap snapshot for a node outside any document. */
const DETACHED = 2

/** Waiting time after which a page has finished animations and requests, ms. */
const IDLE_MS = 2_000

const snapshotFormat = z.object({
  snapshot: z.object({
    meta: z.object({ node_fields: z.array(z.string()), node_types: z.array(z.unknown()) }),
  }),
  nodes: z.array(z.number()),
})

/** Node types of a heap snapshot that belong to the engine (compiled scripts). The page cannot release them. */
const ENGINE_NODE_TYPES = new Set(['code', 'hidden', 'object shape'])

/** Counts objects in a heap snapshot. (The debugger's query for detached nodes would keep those nodes in memory.) */
async function readSnapshot(session: CDPSession): Promise<Pick<Mark, 'objectsMb' | 'detached'>> {
  const chunks: string[] = []
  const gather = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', gather)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', gather)
  const { snapshot, nodes } = snapshotFormat.parse(JSON.parse(chunks.join('')))
  const { node_fields: fields, node_types } = snapshot.meta
  const types = z.array(z.string()).parse(node_types[fields.indexOf('type')])
  const size = fields.indexOf('self_size')
  const detachedness = fields.indexOf('detachedness')
  if (size < 0 || detachedness < 0) throw new Error('The heap snapshot has no self_size or no detachedness')
  let objects = 0
  let detached = 0
  for (let at = 0; at < nodes.length; at += fields.length) {
    const type = types[nodes[at + fields.indexOf('type')] ?? -1] ?? ''
    if (!ENGINE_NODE_TYPES.has(type)) objects += nodes[at + size] ?? 0
    if (nodes[at + detachedness] === DETACHED) detached += 1
  }
  return { objectsMb: objects / 1e6, detached }
}

export async function takeMark(page: Page, session: CDPSession): Promise<Mark> {
  await page.waitForTimeout(IDLE_MS)
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage')
  const usage = await session.send('Runtime.getHeapUsage')
  const counters = await session.send('Memory.getDOMCounters')
  return {
    heapMb: (usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize) / 1e6,
    nodes: counters.nodes,
    listeners: counters.jsEventListeners,
    ...(await readSnapshot(session)),
  }
}

/** The smallest value of each figure. Throws for an empty list. */
export function smallest(marks: readonly Mark[]): Mark {
  const min = (figure: keyof Mark): number => Math.min(...marks.map((mark) => mark[figure]))
  if (marks.length === 0) throw new Error('No measurement')
  return {
    objectsMb: min('objectsMb'),
    heapMb: min('heapMb'),
    nodes: min('nodes'),
    listeners: min('listeners'),
    detached: min('detached'),
  }
}
