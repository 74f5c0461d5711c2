import type { CDPSession, Page } from '@playwright/test'
import { z } from 'zod'

/** What the page holds after garbage collection, at rest. */
export interface Mark {
  /** Objects, document and contents of typed arrays, MB. */
  readonly heapMb: number
  /** Nodes of documents, also of those that are no longer shown. */
  readonly nodes: number
  readonly listeners: number
  /** Elements which are in no document and held by scripts. */
  readonly detached: number
}

/** In a heap snapshot: the node is in no document. */
const DETACHED = 2

/** What a page at rest does by itself (an animation ends, an answer comes) has been done after so long, ms. */
const REST_MS = 2_000

const snapshotMeta = z.object({
  snapshot: z.object({ meta: z.object({ node_fields: z.array(z.string()) }) }),
  nodes: z.array(z.number()),
})

/** From a heap snapshot: the debugger's own question for them would keep alive what it finds. */
async function countDetached(session: CDPSession): Promise<number> {
  const chunks: string[] = []
  const gather = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', gather)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', gather)
  const { snapshot, nodes } = snapshotMeta.parse(JSON.parse(chunks.join('')))
  const fields = snapshot.meta.node_fields
  const field = fields.indexOf('detachedness')
  if (field < 0) throw new Error('The browser does not say what is detached')
  let detached = 0
  for (let at = field; at < nodes.length; at += fields.length) if (nodes[at] === DETACHED) detached += 1
  return detached
}

export async function takeMark(page: Page, session: CDPSession): Promise<Mark> {
  await page.waitForTimeout(REST_MS)
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage')
  const usage = await session.send('Runtime.getHeapUsage')
  const counters = await session.send('Memory.getDOMCounters')
  return {
    heapMb: (usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize) / 1e6,
    nodes: counters.nodes,
    listeners: counters.jsEventListeners,
    detached: await countDetached(session),
  }
}
