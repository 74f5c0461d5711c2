import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { toLaunchOptions } from '../tools/product/chromium.ts'
import { startProduct } from '../tools/product/start-product.ts'
import type { Bench, BenchPeer, BenchResult } from './bench.ts'
import { onLargeCompany } from './console/large-company.ts'
import { measureMap } from './console/measure-map.ts'
import { measurePages } from './console/measure-pages.ts'
import { measureSwitches, type SwitchTimes } from './console/measure-switches.ts'
import { withReportingValves } from './console/reporting-valves.ts'
import { signIn } from './console/sign-in.ts'
import { PASSWORD } from './server/own-server.ts'

const FIRST_PAGE = '/dashboard'
const ACCOUNT = 'dispatcher'
/** Households of the large company, with about 240,000 devices. ISOTHERM_BENCH_HOUSEHOLDS=5000 makes a quick run. */
const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000)
/** Folder of the console that the running product has built. */
const CONSOLE_DIR = join(import.meta.dirname, '../apps/console/dist')
const GZIP_LEVEL = 9

/** Size of every script that a page has requested so far, kB after gzip, by file name. */
type Weights = ReadonlyMap<string, number>

/** Records the size of every script that the pages of the context request. Returns a function that reads the sizes. */
function weighScripts(context: BrowserContext): () => Promise<Weights> {
  const waiting: Promise<readonly [string, number]>[] = []
  context.on('response', (response) => {
    const name = new URL(response.url()).pathname.split('/').at(-1) ?? ''
    if (!/\.m?js$/.test(name)) return
    waiting.push(response.body().then((body) => [name, gzipSync(body, { level: GZIP_LEVEL }).length / 1000]))
  })
  return async () => new Map(await Promise.all(waiting))
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
/** The map has its own figure, because no other page loads the map library. */
const MAP = '/gis/gisshow'

/** Waits until a page is in the main area and its own lazy parts, such as a chart, are loaded. */
async function waitUntilShown(page: Page, target: string): Promise<void> {
  const [path] = target.split('?')
  await page.waitForURL((url) => url.pathname === path)
  await page.locator('main .page').first().waitFor()
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

/** Measures pages and map of a large company, on a separate server. */
async function measureLarge(): Promise<BenchResult> {
  return onLargeCompany(HOUSEHOLDS, CONSOLE_DIR, async (company) => {
    const browser = await chromium.launch(toLaunchOptions())
    try {
      const pages = await measurePages(browser, company, (work) => withReportingValves(company, work))
      const { firstMs, zoomMs, panFps, idleFps, tiles, tilesKb } = await measureMap(browser, company)
      return {
        figures: {
          page_first_data_100k_ms: Math.max(...pages.firstDataMs.values()),
          table_scroll_worst_frame_ms: pages.scrolled.worstMs,
          live_500_cells_fps: pages.live.fps,
          map_first_draw_230k_ms: firstMs,
          map_pan_230k_fps: panFps,
        },
        peers: [
          {
            figure: 'table_scroll_worst_frame_ms',
            label: 'of the same page with nothing to do',
            value: pages.idle.worstMs,
          },
          {
            figure: 'live_500_cells_fps',
            label: 'of the same page with nothing to do',
            value: pages.idle.fps,
          },
          {
            figure: 'map_pan_230k_fps',
            label: 'frames of a page with nothing to do, per second',
            value: idleFps,
          },
        ],
        notes: [
          ...[...pages.firstDataMs].map(
            ([path, ms]) => `${path}, all of the company: first data after ${ms.toFixed(0)} ms`,
          ),
          `Table of ${pages.valves} valves: ${pages.scrolled.fps.toFixed(0)} frames per second while scrolling; ${pages.cellsPerS} visible cells change each second, worst frame ${pages.live.worstMs.toFixed(0)} ms.`,
          `Map: ${company.devices} devices, ${tiles} tiles of ${tilesKb.toFixed(0)} kB in total at the first draw; rendered without a graphics card.`,
          `Map, a zoom by one: ${zoomMs.toFixed(0)} ms until it is idle, worst of five, including 250 ms of animation.`,
        ],
      }
    } finally {
      await browser.close()
    }
  })
}

/** Measures its own demo or the one at ISOTHERM_E2E_URL, then some pages and the map of a large company. */
async function run(): Promise<BenchResult> {
  const running = process.env.ISOTHERM_E2E_URL
  if (running) return measureAt(running)
  const product = await startProduct()
  const pages = await measureAt(product.url).finally(() => product.stop())
  const large = await measureLarge()
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
