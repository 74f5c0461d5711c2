import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page, type Response } from '@playwright/test'
import { toLaunchOptions } from '../tools/product/chromium.ts'
import { startProduct } from '../tools/product/start-product.ts'
import type { Bench, BenchPeer, BenchResult } from './bench.ts'
import { measureLarge } from './console/measure-large.ts'
import { measureSwitches, type SwitchTimes } from './console/measure-switches.ts'
import { findInPalette, signIn } from './console/sign-in.ts'
import { PASSWORD } from './server/own-server.ts'

const FIRST_PAGE = '/dashboard'
const ACCOUNT = 'dispatcher'
/** Households of the large company, with about 240,000 devices. ISOTHERM_BENCH_HOUSEHOLDS=5000 makes a quick run. */
const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000)
/** Set it to measure the large company only; the console must be built (`npm run build`). */
const ONLY_LARGE = process.env.ISOTHERM_BENCH_ONLY_LARGE !== undefined
/** Folder of the console that the running product has built. */
const CONSOLE_DIR = join(import.meta.dirname, '../apps/console/dist')
const GZIP_LEVEL = 9

/** Size of every script that a page has requested so far, kB after gzip, by file name. */
type Weights = ReadonlyMap<string, number>

/**
 * Records the size of every script that the pages of the context request. Returns a function that ends this and reads the
 * sizes.
 */
function weighScripts(context: BrowserContext): () => Promise<Weights> {
  const waiting: Promise<readonly [string, number]>[] = []
  const weigh = (response: Response) => {
    const name = new URL(response.url()).pathname.split('/').at(-1) ?? ''
    if (!/\.m?js$/.test(name)) return
    waiting.push(response.body().then((body) => [name, gzipSync(body, { level: GZIP_LEVEL }).length / 1000]))
  }
  context.on('response', weigh)
  return async () => {
    context.off('response', weigh)
    return new Map(await Promise.all(waiting))
  }
}

/** Resource types that count as requests of the first page. The console's texts are loaded as scripts. */
const FIRST_PAGE_KINDS = new Set(['script', 'stylesheet'])

/** Number of requests for scripts, styles and texts until the login form accepts input; the cache is empty. */
async function countFirstRequests(browser: Browser, baseURL: string): Promise<number> {
  const context = await browser.newContext({ baseURL })
  try {
    let requests = 0
    context.on('request', (request) => {
      if (FIRST_PAGE_KINDS.has(request.resourceType())) requests += 1
    })
    const page = await context.newPage()
    await page.goto(FIRST_PAGE)
    await page.locator('input[name="account"]').fill(ACCOUNT)
    return requests
  } finally {
    await context.close()
  }
}

const sum = (weights: Weights): number => [...weights.values()].reduce((total, kb) => total + kb, 0)

const HISTORY = '/ewph/fmhistory'
const VALVES = '/ewph/fmreal'
/** The map has its own figure, because no other page loads the map library. */
const MAP = '/gis/gisshow'

/** Waits until a page is in the main area and its own lazy parts, such as a chart, are loaded. */
async function waitUntilShown(page: Page, target: string): Promise<void> {
  const [path] = target.split('?')
  await page.waitForURL((url) => url.pathname === path)
  await page.locator('main > [class*=page]:visible').first().waitFor()
  if (target.startsWith(`${HISTORY}?`)) await page.getByTestId('history-chart').waitFor()
  if (path === MAP) await page.locator('[data-testid="map-canvas"][data-state="drawn"]').waitFor()
}

/** Adds a valve to the URL of the history page, which shows its chart only for a selected device. */
const fillPath = (path: string, valveId: string): string =>
  path === HISTORY ? `${path}?devices=${valveId}` : path

/** Opens a page with an empty cache, with an existing session or after a login, and measures its scripts. */
async function weighPage(
  browser: Browser,
  baseURL: string,
  path: string,
  state?: SignedIn,
): Promise<Weights> {
  const context = await browser.newContext({ baseURL, ...(state ? { storageState: state } : {}) })
  // A console that saves data does not load other pages ahead, which a slow page would be charged with.
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  try {
    const weigh = weighScripts(context)
    const page = await context.newPage()
    await page.goto(path)
    if (!state) await signIn(page, ACCOUNT, PASSWORD)
    await waitUntilShown(page, path)
    return await weigh()
  } finally {
    await context.close()
  }
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

interface Opened {
  readonly state: SignedIn
  /** Pages of the menu except the first. */
  readonly paths: readonly string[]
  /** Id of an existing valve, for pages about one valve. */
  readonly valveId: string
  readonly times: SwitchTimes
}

/** Logs in once. Returns the session (for pages with an empty cache), the pages of the menu, and times of switching. */
async function openConsole(browser: Browser, baseURL: string): Promise<Opened> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto(FIRST_PAGE)
    await signIn(page, ACCOUNT, PASSWORD)
    await waitUntilShown(page, FIRST_PAGE)
    const state = await context.storageState()
    await page.keyboard.press('Control+k')
    const options = page.locator('[data-testid^="palette-page /"]')
    await options.first().waitFor()
    const ids = await Promise.all((await options.all()).map((each) => each.getAttribute('data-testid')))
    await page.keyboard.press('Escape')
    const paths = ids
      .map((id) => (id ?? '').slice('palette-page '.length))
      .filter((path) => path !== FIRST_PAGE)
    const times = await measureSwitches(page, FIRST_PAGE, paths)
    await (await findInPalette(page, VALVES)).click()
    const row = page.locator('[data-testid^="valve-row-"]').first()
    const valveId = ((await row.getAttribute('data-testid')) ?? '').slice('valve-row-'.length)
    return { state, paths, valveId, times }
  } finally {
    await context.close()
  }
}

async function measure(browser: Browser, url: string): Promise<BenchResult> {
  const firstRequests = await countFirstRequests(browser, url)
  const first = await weighPage(browser, url, FIRST_PAGE)
  const { state, paths, valveId, times } = await openConsole(browser, url)
  const extras: { readonly path: string; readonly kb: number }[] = []
  for (const path of paths) {
    const weights = await weighPage(browser, url, fillPath(path, valveId), state)
    const more = [...weights].filter(([name]) => !first.has(name))
    extras.push({ path, kb: sum(new Map(more)) })
  }
  // The budget excludes the map.
  const heaviest = Math.max(...extras.filter(({ path }) => path !== MAP).map(({ kb }) => kb))
  const peers: readonly BenchPeer[] = [
    {
      figure: 'first_page_js_gzip_kb',
      label: 'vue-element-admin 4.4 to show its login (measured elsewhere)',
      value: 345,
    },
    {
      figure: 'first_page_js_gzip_kb',
      label: 'ant-design-pro to show its login (measured elsewhere)',
      value: 643,
    },
    {
      figure: 'cached_tab_switch_ms',
      label: 'one frame of this browser with nothing to do',
      value: times.frameMs,
    },
  ]
  const notes = [
    `First page: ${first.size} scripts on a cold cache, login and ${FIRST_PAGE} together.`,
    ...extras.map(({ path, kb }) => `${path}: ${kb.toFixed(1)} kB more`),
    `Cached tab: from the click to the frame that shows it, median of ${times.samples}; limit: one frame more than an empty one.`,
    'Loaded page: its code is loaded, its view is rendered for the first time; limit 100 ms.',
  ]
  const figures = {
    first_page_js_gzip_kb: sum(first),
    first_page_requests: firstRequests,
    largest_extra_page_js_gzip_kb: heaviest,
    cached_tab_switch_ms: times.cachedMs,
    loaded_page_switch_ms: times.loadedMs,
  }
  return { figures, peers, notes }
}

async function measureAt(url: string): Promise<BenchResult> {
  const browser = await chromium.launch(toLaunchOptions())
  try {
    return await measure(browser, url)
  } finally {
    await browser.close()
  }
}

/** Measures its own demo or the one at ISOTHERM_E2E_URL, then the pages and the map of a large company. */
async function run(): Promise<BenchResult> {
  const running = process.env.ISOTHERM_E2E_URL
  if (running) return measureAt(running)
  if (ONLY_LARGE) return measureLarge(HOUSEHOLDS, CONSOLE_DIR)
  const product = await startProduct()
  const pages = await measureAt(product.url).finally(() => product.stop())
  const large = await measureLarge(HOUSEHOLDS, CONSOLE_DIR)
  return {
    figures: { ...pages.figures, ...large.figures },
    peers: [...pages.peers, ...large.peers],
    notes: [...pages.notes, ...large.notes],
  }
}

export const bench: Bench = {
  name: 'console',
  about:
    'JavaScript until the first page shows and for each further page, how fast tabs and pages change, and the pages and the map of a large company',
  run,
}
