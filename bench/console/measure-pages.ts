import type { Browser, Page } from '@playwright/test'
import { z } from 'zod'
import { countFrames, type Frames } from './frames.ts'
import type { LargeCompany } from './large-company.ts'
import { findInPalette, signIn } from './sign-in.ts'

/** Times of pages that show a whole large company: nothing is selected in the tree. */
export interface PageTimes {
  /** From selecting a page to the first frame with its data, ms, by path. */
  readonly firstDataMs: ReadonlyMap<string, number>
  /** Frames of the table of all valves while the wheel scrolls it. */
  readonly scrolled: Frames
  /** Frames of that table while its visible valves report. */
  readonly live: Frames
  readonly cellsPerS: number
  /** Frames of the same page while idle. */
  readonly idle: Frames
  readonly valves: string
}

const VALVES = '/ewph/fmreal'
const ROOMS = '/rtjc/rtreal'
const ROOM_HISTORY = '/rtjc/rthistory'
/** By path: selector of an element that exists as soon as the page shows data. */
const shown: Readonly<Record<string, string>> = {
  '/dashboard': '[data-testid="home-valves"]',
  '/ewph/eqmonitor': '[data-testid="stations"] a',
  [VALVES]: '[data-testid^="valve-row-"]',
  [ROOMS]: '[data-testid="room-pass-share"]',
  '/calr/caldata': '[data-testid="meter-weather"]',
  '/stat/statsys': '[data-testid^="report-row-"]',
}

/** Waiting time, ms: the console preloads the code of every page, which must not disturb the measurement. */
const LOAD_AHEAD_MS = 6_000
const TIMEOUT_MS = 120_000
const MEASURED_MS = 5_000
const WHEEL_MS = 16
/** One notch of the wheel in every frame, px. */
const WHEEL_PX = 120

/** A script for the page: clicks `choice`, then resolves after the first frame in which `selector` is visible. */
const toScript = (choice: string, selector: string): string => `new Promise((resolve, reject) => {
  const started = performance.now()
  document.querySelector(${JSON.stringify(choice)}).click()
  const check = () => {
    if (performance.now() - started > ${TIMEOUT_MS}) return reject(new Error('no data: ' + ${JSON.stringify(selector)}))
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.checkVisibility())
    if (!found) return requestAnimationFrame(check)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now() - started)
    port2.postMessage(0)
  }
  requestAnimationFrame(check)
})`

async function measureFirstData(page: Page, path: string, selector: string): Promise<number> {
  await findInPalette(page, path)
  const choice = `[data-testid="palette-page ${path}"]`
  return z.number().parse(await page.evaluate(toScript(choice, selector)))
}

/** Opens a room of the list and follows the link to its curve. */
async function measureRoomHistory(page: Page): Promise<number> {
  await (await findInPalette(page, ROOMS)).click()
  await page.locator('[data-testid="record-table"] [data-testid^="record-"]:visible').first().click()
  const link = `[data-testid="room-drawer"] a[href^="${ROOM_HISTORY}?"]`
  await page.locator(link).waitFor({ timeout: TIMEOUT_MS })
  return z.number().parse(await page.evaluate(toScript(link, '[data-testid="history-chart"]')))
}

/** Waits until all valves are loaded. Returns the text of the counter. */
async function waitUntilListed(page: Page): Promise<string> {
  const count = page.getByTestId('summary-valves').locator('dd')
  const whole = count.filter({ hasNotText: '/' })
  await whole.waitFor({ timeout: TIMEOUT_MS })
  return whole.innerText()
}

async function measureScroll(page: Page): Promise<Frames> {
  const box = await page.locator('[data-testid^="valve-row-"]').first().boundingBox()
  if (!box) throw new Error('no valve is in sight')
  await page.mouse.move(box.x + box.width / 2, box.y + 200)
  const counting = countFrames(page, MEASURED_MS)
  const ended = Date.now() + MEASURED_MS
  for (let turn = 0; Date.now() < ended; turn += 1) {
    await page.mouse.wheel(0, turn % 120 < 100 ? WHEEL_PX : -WHEEL_PX)
    await page.waitForTimeout(WHEEL_MS)
  }
  return counting
}

/** Opens the pages in a running console. `report` makes the first valves of the table report while frames are counted. */
export async function measurePages(
  browser: Browser,
  { url, account, password }: LargeCompany,
  report: (work: () => Promise<Frames>) => Promise<{ readonly result: Frames; readonly cellsPerS: number }>,
): Promise<PageTimes> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto('/rtjc/rtalarm?section=open')
    await signIn(page, account, password)
    await page.locator('main > [class*=page]:visible').first().waitFor()
    await page.waitForTimeout(LOAD_AHEAD_MS)
    const firstDataMs = new Map<string, number>()
    for (const [path, selector] of Object.entries(shown)) {
      firstDataMs.set(path, await measureFirstData(page, path, selector))
    }
    firstDataMs.set(ROOM_HISTORY, await measureRoomHistory(page))
    await (await findInPalette(page, VALVES)).click()
    const valves = await waitUntilListed(page)
    await page.waitForTimeout(LOAD_AHEAD_MS)
    const idle = await countFrames(page, MEASURED_MS)
    const { result: live, cellsPerS } = await report(() => countFrames(page, MEASURED_MS))
    const scrolled = await measureScroll(page)
    return { firstDataMs, scrolled, live, cellsPerS, idle, valves }
  } finally {
    await context.close()
  }
}
