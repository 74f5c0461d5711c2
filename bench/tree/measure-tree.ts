import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { toLaunchOptions } from '../../tools/product/chromium.ts'

/** An arbitrary address: every request is answered from the folder of pages. */
const ADDRESS = 'http://trees.invalid'
/** Timeout of an operation, a little above the page's own, so that the page can report it. */
const CUT_MS = 25_000

/** The measured operations in their order on a mounted tree. */
export const operations = [
  'mount',
  'expandAll',
  'checkRoot',
  'uncheckLeaf',
  'restore',
  'restoreAgain',
  'search',
  'scroll',
  'addChildren',
] as const
export type Operation = (typeof operations)[number]

/** One operation of one tree. */
export interface Taken {
  /** From the call until its result is painted; for scroll the 95th percentile of its frames, ms. */
  readonly ms: number
  /** Of these, the time for which the page was busy and not waiting for a frame, ms. */
  readonly busyMs: number
}

/** Why there is no measurement: a timeout, or the tree does not support the operation. */
type Lack = 'cut' | 'cannot'
export type Outcome = Taken | Lack

export interface Round {
  readonly outcomes: ReadonlyMap<Operation, Outcome>
  /** Conversion of the company to the tree's own input, part of mount, ms. */
  readonly prepareMs: number
  /** Memory of the tree after mount, with everything open, and after all operations, MB. */
  readonly mountedMb: number
  readonly openMb: number
  readonly usedMb: number
}

interface Stage {
  readonly page: Page
  readonly session: CDPSession
}

class Cut extends Error {}

async function evaluate(page: Page, expression: string): Promise<unknown> {
  const late = new AbortController()
  const cut = wait(CUT_MS, undefined, { signal: late.signal }).then(() => {
    throw new Cut(expression)
  })
  try {
    return await Promise.race([page.evaluate(expression), cut])
  } finally {
    late.abort()
    cut.catch(() => {})
  }
}

/** Memory of the page after garbage collection: objects, document and typed arrays, MB. */
async function measureHeapMb({ session }: Stage): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const usage = await session.send('Runtime.getHeapUsage')
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = usage
  return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6
}

async function readBusyMs({ session }: Stage): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value
  if (seconds === undefined) throw new Error('The browser does not count the time it is busy')
  return seconds * 1000
}

async function take(stage: Stage, operation: string): Promise<Outcome> {
  await evaluate(stage.page, 'treeBench.settle()')
  const before = await readBusyMs(stage)
  const ms = await evaluate(stage.page, `treeBench.run('${operation}')`)
  const busyMs = (await readBusyMs(stage)) - before
  return typeof ms === 'number' ? { ms, busyMs } : 'cannot'
}

const pass = (stage: Stage, name: string): Promise<unknown> =>
  evaluate(stage.page, `treeBench.pass('${name}')`)

/** Operations that must be undone before the next one. */
const undo: Partial<Record<Operation, string>> = {
  uncheckLeaf: 'uncheckAll',
  restore: 'uncheckAll',
  restoreAgain: 'uncheckAll',
  search: 'endSearch',
}

async function openStage(browser: Browser, folder: string): Promise<Stage> {
  const page = await browser.newPage({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } })
  await page.route(`${ADDRESS}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) })
  })
  await page.goto(`${ADDRESS}/`)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return { page, session }
}

const isTaken = (outcome: Outcome): outcome is Taken => typeof outcome === 'object'

/** Mounts the tree, runs every operation except those in `skipped`, and unmounts it. */
async function measureRound(
  stage: Stage,
  skipped: ReadonlyMap<Operation, Lack>,
  begin: (operation: Operation) => void,
): Promise<Round> {
  const outcomes = new Map<Operation, Outcome>(skipped)
  const bareMb = await measureHeapMb(stage)
  let mountedMb = Number.NaN
  let openMb = Number.NaN
  let prepareMs = Number.NaN
  for (const operation of operations) {
    begin(operation)
    if (skipped.has(operation)) {
      if (operation === 'expandAll') await pass(stage, 'openChain')
      continue
    }
    const prepared = operation === 'mount' ? await take(stage, 'prepare') : undefined
    const taken = await take(stage, operation)
    if (prepared && isTaken(prepared) && isTaken(taken)) {
      prepareMs = prepared.ms
      outcomes.set(operation, { ms: taken.ms + prepared.ms, busyMs: taken.busyMs + prepared.busyMs })
      mountedMb = (await measureHeapMb(stage)) - bareMb
    } else outcomes.set(operation, taken)
    if (operation === 'expandAll') openMb = (await measureHeapMb(stage)) - bareMb
    const after = undo[operation]
    if (after && taken !== 'cannot') await pass(stage, after)
  }
  const usedMb = (await measureHeapMb(stage)) - bareMb
  await pass(stage, 'unmount')
  return { outcomes, prepareMs, mountedMb, openMb, usedMb }
}

/**
 * Measures one tree with the given number of nodes in several runs in one page of a separate browser. An operation with a
 * timeout is skipped in the following runs, which start in a new browser.
 */
export async function measureTree(
  folder: string,
  tool: string,
  count: number,
  rounds: number,
): Promise<readonly Round[]> {
  const skipped = new Map<Operation, Lack>()
  for (;;) {
    const browser = await chromium.launch(toLaunchOptions())
    let current: Operation = 'mount'
    try {
      const stage = await openStage(browser, folder)
      await evaluate(stage.page, `treeBench.load('${tool}', ${count})`)
      const results: Round[] = []
      for (let round = 0; round < rounds; round += 1) {
        const result = await measureRound(stage, skipped, (operation) => {
          current = operation
        })
        results.push(result)
      }
      return results
    } catch (error) {
      const isCut = error instanceof Cut || (error instanceof Error && error.message.includes('is not shown'))
      if (!isCut || skipped.has(current) || current === 'mount') {
        throw new Error(`${tool} with ${count} nodes failed at ${current}`, { cause: error })
      }
      skipped.set(current, 'cut')
      // A scroll covers the whole list.
      if (current === 'expandAll') skipped.set('scroll', 'cut')
    } finally {
      await browser.close()
    }
  }
}

/** Time of an empty repaint, ms: the lower limit of any visible change. */
export async function measureEmptyFrame(folder: string, times: number): Promise<readonly number[]> {
  const browser = await chromium.launch(toLaunchOptions())
  try {
    const stage = await openStage(browser, folder)
    const taken: number[] = []
    for (let time = 0; time < times; time += 1) {
      const outcome = await take(stage, 'nothing')
      if (isTaken(outcome)) taken.push(outcome.ms)
    }
    return taken
  } finally {
    await browser.close()
  }
}
