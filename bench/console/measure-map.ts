import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Browser, Page } from '@playwright/test'
import { z } from 'zod'
import { countFrames } from './frames.ts'
import { findInPalette, signIn } from './sign-in.ts'

export interface MapTimes {
  /** From selecting the page to the frame that shows the network, ms, including the loading of its code. */
  readonly firstMs: number
  /** The same for a change of zoom by one, worst, ms. */
  readonly zoomMs: number
  /** Frames per second while the map is dragged, at the slowest zoom. */
  readonly panFps: number
  /** Frames per second of an empty page in this browser. */
  readonly idleFps: number
  /** Data requested by the first draw, JSON before compression, kB, and number of tiles. */
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
/** Time in which the code of the other pages is preloaded, ms. */
const LOAD_AHEAD_MS = 6_000
/** Requests count as finished after this time without a new one, ms. */
const QUIET_MS = 1_500
const GIVE_UP_MS = MINUTE_MS
const PAN_MS = 3_000
const ZOOM_STEPS = 5

/**
 * Runs in the page: does something, then waits until the map is idle after the last tile of the network was read. The map
 * records each time it becomes idle.
 */
const toScript = (act: string): string => `new Promise((resolve, reject) => {
  let rested = 0
  const watch = new MutationObserver(() => {
    if (document.querySelector('${CANVAS}')?.dataset.state === 'drawn') rested = performance.now()
  })
  watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-state'] })
  const started = performance.now()
  ${act}
  const look = () => {
    const now = performance.now()
    const tiles = performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/Map/GetTile'))
    const last = Math.max(started, ...tiles.map((entry) => entry.responseEnd))
    if (now - started > ${GIVE_UP_MS}) return reject(new Error('the map is not drawn'))
    if (rested <= last || now - Math.max(rested, last) < ${QUIET_MS}) return setTimeout(look, 100)
    watch.disconnect()
    const asked = tiles.filter((entry) => entry.startTime >= started)
    resolve([rested - started, asked.length, asked.reduce((sum, entry) => sum + entry.decodedBodySize, 0) / 1000])
  }
  look()
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

/** Opens the map of a whole company in a running console, zooms in step by step and drags it at each zoom. */
export async function measureMap(browser: Browser, { url, account, password }: MapBench): Promise<MapTimes> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto('/dashboard')
    await signIn(page, account, password)
    await page.locator('main .page').first().waitFor()
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
