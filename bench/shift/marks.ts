import type { CDPSession, Page } from '@playwright/test'
import { z } from 'zod'

/** Memory of the idle page after garbage collection. */
export interface Mark {
  /** Objects, document and contents of typed arrays, MB; without compiled scripts. */
  readonly objectsMb: number
  /** Including compiled scripts, which grow as long as the engine optimises, MB. */
  readonly heapMb: number
  /** Nodes of documents, also of documents that are no longer shown. */
  readonly nodes: number
  readonly listeners: number
  /** Elements in no document that scripts still reference. */
  readonly detached: number
}

/** Value in a heap snapshot for a node in no document. */
const DETACHED = 2

/** Time after which an idle page has finished animations and requests, ms. */
const REST_MS = 2_000

const snapshotFormat = z.object({
  snapshot: z.object({
    meta: z.object({ node_fields: z.array(z.string()), node_types: z.array(z.unknown()) }),
  }),
  nodes: z.array(z.number()),
})

/** Memory of the engine for compiled scripts, which the page cannot release. */
const ENGINES_OWN = new Set(['code', 'hidden', 'object shape'])

/** Counts in a heap snapshot, because the debugger's query for detached nodes would retain them. */
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
