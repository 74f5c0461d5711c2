import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Browser, Page } from '@playwright/test'
import { z } from 'zod'
import { countFrames } from './frames.ts'
import { findInPalette, signIn } from './sign-in.ts'

export interface MapTimes {
  /** From selecting the page to the frame that shows the network, ms; includes loading the page's code. */
  readonly firstMs: number
  /** From a zoom by one level to the frame that shows it, ms; the slowest of all levels. */
  readonly zoomMs: number
  /** Frames per second while the map is dragged; the slowest of all levels. */
  readonly panFps: number
  /** Frames per second of an empty page in this browser. */
  readonly idleFps: number
  /** JSON of the tiles of the first view before compression, kB. */
  readonly tilesKb: number
  readonly tiles: number
}

export interface MapBench {
  readonly url: string
  readonly account: string
  readonly password: string
}

const MAP = '/gis/gisshow'
const CANVAS = '[data-testid="map-canvas"]'
/** Waiting time, ms: the console preloads the code of the other pages, which must not disturb the measurement. */
const LOAD_AHEAD_MS = 6_000
/** Loading counts as finished after this time without a new request, ms. */
const QUIET_MS = 1_500
const TIMEOUT_MS = MINUTE_MS
const PAN_MS = 3_000
const ZOOM_STEPS = 5

/**
 * A script for the page: executes `act`, then waits until the map is idle after its last tile was read. The map records
 * each time it becomes idle.
 */
const toScript = (act: string): string => `new Promise((resolve, reject) => {
  let idleAt = 0
  const watch = new MutationObserver(() => {
    if (document.querySelector('${CANVAS}')?.dataset.state === 'drawn') idleAt = performance.now()
  })
  watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-state'] })
  const started = performance.now()
  ${act}
  const check = () => {
    const now = performance.now()
    const tiles = performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/Map/GetTile'))
    const last = Math.max(started, ...tiles.map((entry) => entry.responseEnd))
    if (now - started > ${TIMEOUT_MS}) return reject(new Error('the map is not drawn'))
    if (idleAt <= last || now - Math.max(idleAt, last) < ${QUIET_MS}) return setTimeout(check, 100)
    watch.disconnect()
    const requested = tiles.filter((entry) => entry.startTime >= started)
    resolve([idleAt - started, requested.length, requested.reduce((sum, entry) => sum + entry.decodedBodySize, 0) / 1000])
  }
  check()
})`

const drawn = z.tuple([z.number(), z.number(), z.number()])

async function measureDrag(page: Page): Promise<number> {
  const box = await page.locator(CANVAS).boundingBox()
  if (!box) throw new Error('the map has no place')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const counting = countFrames(page, PAN_MS)
  const ended = Date.now() + PAN_MS
  for (let turn = 0; Date.now() < ended; turn += 1) {
    const way = 300 * Math.sin(turn / 15)
    await page.mouse.move(x + way, y + way / 3)
    await page.waitForTimeout(10)
  }
  const { fps } = await counting
  await page.mouse.up()
  return fps
}

/** Opens the map of a whole company, zooms in level by level and drags it at each level. */
export async function measureMap(browser: Browser, { url, account, password }: MapBench): Promise<MapTimes> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto('/dashboard')
    await signIn(page, account, password)
    await page.locator('main > [class*=page]:visible').first().waitFor()
    await page.waitForTimeout(LOAD_AHEAD_MS)
    const { fps: idleFps } = await countFrames(page, PAN_MS)
    await findInPalette(page, MAP)
    const choose = `document.querySelector('[data-testid="palette-page ${MAP}"]').click()`
    const [firstMs, tiles, tilesKb] = drawn.parse(await page.evaluate(toScript(choose)))
    const pans = [await measureDrag(page)]
    const zooms: number[] = []
    for (let step = 0; step < ZOOM_STEPS; step += 1) {
      await page.waitForTimeout(QUIET_MS)
      const closer = `document.querySelector('[data-testid="map-in"]').click()`
      const [ms] = drawn.parse(await page.evaluate(toScript(closer)))
      zooms.push(ms)
      pans.push(await measureDrag(page))
    }
    return { firstMs, tiles, tilesKb, idleFps, zoomMs: Math.max(...zooms), panFps: Math.min(...pans) }
  } finally {
    await context.close()
  }
}
