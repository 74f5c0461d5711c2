import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { toLaunchOptions } from '../../tools/product/chromium.ts'

/** An invented origin: every request is answered from the folder of the built pages. */
const ADDRESS = 'http://trees.invalid'
/** Timeout of an operation, ms; a little above the page's own timeout, so that the page can report it. */
const TIMEOUT_MS = 25_000

/** The measured operations, in the order in which they run on a mounted tree. */
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

/** Times of one operation of one tree. */
export interface Measured {
  /** Time from the call until its result is painted, ms; for scroll, the 95th percentile of the frame times. */
  readonly ms: number
  /** The part of that time in which the page was busy and did not wait for a frame, ms. */
  readonly busyMs: number
}

/** Why there is no measurement: a timeout, or the tree does not support the operation. */
type NoResult = 'timeout' | 'unsupported'
export type Outcome = Measured | NoResult

export interface Round {
  readonly outcomes: ReadonlyMap<Operation, Outcome>
  /** Time to convert the company to the tree's own input, ms. It is a part of mount. */
  readonly prepareMs: number
  /** Memory of the tree, MB: after mount, with everything open, and after all operations. */
  readonly mountedMb: number
  readonly openMb: number
  readonly usedMb: number
}

interface Stage {
  readonly page: Page
  readonly session: CDPSession
}

class TimeoutError extends Error {}

async function evaluate(page: Page, expression: string): Promise<unknown> {
  const abort = new AbortController()
  const timeout = wait(TIMEOUT_MS, undefined, { signal: abort.signal }).then(() => {
    throw new TimeoutError(expression)
  })
  try {
    return await Promise.race([page.evaluate(expression), timeout])
  } finally {
    abort.abort()
    timeout.catch(() => {})
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

async function measureOperation(stage: Stage, operation: string): Promise<Outcome> {
  await evaluate(stage.page, 'treeBench.settle()')
  const before = await readBusyMs(stage)
  const ms = await evaluate(stage.page, `treeBench.run('${operation}')`)
  const busyMs = (await readBusyMs(stage)) - before
  return typeof ms === 'number' ? { ms, busyMs } : 'unsupported'
}

const runBetween = (stage: Stage, name: string): Promise<unknown> =>
  evaluate(stage.page, `treeBench.runBetween('${name}')`)

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

const isMeasured = (outcome: Outcome): outcome is Measured => typeof outcome === 'object'

/** Mounts the tree, runs every operation except those in `skipped`, and unmounts it. */
async function measureRound(
  stage: Stage,
  skipped: ReadonlyMap<Operation, NoResult>,
  onStart: (operation: Operation) => void,
): Promise<Round> {
  const outcomes = new Map<Operation, Outcome>(skipped)
  const bareMb = await measureHeapMb(stage)
  let mountedMb = Number.NaN
  let openMb = Number.NaN
  let prepareMs = Number.NaN
  for (const operation of operations) {
    onStart(operation)
    if (skipped.has(operation)) {
      if (operation === 'expandAll') await runBetween(stage, 'openChain')
      continue
    }
    const prepared = operation === 'mount' ? await measureOperation(stage, 'prepare') : undefined
    const outcome = await measureOperation(stage, operation)
    if (prepared && isMeasured(prepared) && isMeasured(outcome)) {
      prepareMs = prepared.ms
      outcomes.set(operation, { ms: outcome.ms + prepared.ms, busyMs: outcome.busyMs + prepared.busyMs })
      mountedMb = (await measureHeapMb(stage)) - bareMb
    } else outcomes.set(operation, outcome)
    if (operation === 'expandAll') openMb = (await measureHeapMb(stage)) - bareMb
    const after = undo[operation]
    if (after && outcome !== 'unsupported') await runBetween(stage, after)
  }
  const usedMb = (await measureHeapMb(stage)) - bareMb
  await runBetween(stage, 'unmount')
  return { outcomes, prepareMs, mountedMb, openMb, usedMb }
}

/**
 * Measures one tree with the given number of nodes several times in one page. If an operation times out, the next
 * runs skip it and start in a new browser.
 */
export async function measureTree(
  folder: string,
  tool: string,
  count: number,
  rounds: number,
): Promise<readonly Round[]> {
  const skipped = new Map<Operation, NoResult>()
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
      const isTimeout =
        error instanceof TimeoutError || (error instanceof Error && error.message.includes('is not shown'))
      if (!isTimeout || skipped.has(current) || current === 'mount') {
        throw new Error(`${tool} with ${count} nodes failed at ${current}`, { cause: error })
      }
      skipped.set(current, 'timeout')
      // Scrolling needs the expanded list.
      if (current === 'expandAll') skipped.set('scroll', 'timeout')
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
    const durations: number[] = []
    for (let time = 0; time < times; time += 1) {
      const outcome = await measureOperation(stage, 'nothing')
      if (isMeasured(outcome)) durations.push(outcome.ms)
    }
    return durations
  } finally {
    await browser.close()
  }
}
