import type { CDPSession, Page } from '@playwright/test'
import { z } from 'zod'

/** What the page holds after garbage collection, at rest. */
export interface Mark {
  /** Objects, document and contents of typed arrays, MB; what the engine compiled of the scripts is not counted. */
  readonly objectsMb: number
  /** With what the engine compiled, which grows as long as it finds something to make faster, MB. */
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

const snapshotFormat = z.object({
  snapshot: z.object({
    meta: z.object({ node_fields: z.array(z.string()), node_types: z.array(z.unknown()) }),
  }),
  nodes: z.array(z.number()),
})

/** What the engine compiles and learns about the scripts by and by; it is no one's to let go. */
const ENGINES_OWN = new Set(['code', 'hidden', 'object shape'])

/** From a heap snapshot: the debugger's own question for detached nodes would keep alive what it finds. */
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
  if (size < 0 || detachedness < 0) throw new Error('The browser tells neither sizes nor what is detached')
  let objects = 0
  let detached = 0
  for (let at = 0; at < nodes.length; at += fields.length) {
    const type = types[nodes[at + fields.indexOf('type')] ?? -1] ?? ''
    if (!ENGINES_OWN.has(type)) objects += nodes[at + size] ?? 0
    if (nodes[at + detachedness] === DETACHED) detached += 1
  }
  return { objectsMb: objects / 1e6, detached }
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
    ...(await readSnapshot(session)),
  }
}
