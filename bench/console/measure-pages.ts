import type { Browser, Page } from '@playwright/test'
import { z } from 'zod'
import { countFrames, type Frames } from './frames.ts'
import type { LargeCompany } from './large-company.ts'
import { findInPalette, signIn } from './sign-in.ts'

/** Pages of a large company with nothing selected in the tree, so that they show the whole company. */
export interface PageTimes {
  /** From selecting a page to the first frame with its data, ms, by path. */
  readonly firstDataMs: ReadonlyMap<string, number>
  /** Frames of the table of all valves while scrolling by the wheel. */
  readonly scrolled: Frames
  /** Frame time of that table while this many visible cells change each second. */
  readonly live: Frames
  readonly cellsPerS: number
  /** Frames of the same page while idle. */
  readonly idle: Frames
  readonly valves: string
}

const VALVES = '/ewph/fmreal'
/** Selector of an element that exists as soon as a page shows data. */
const shown: Readonly<Record<string, string>> = {
  '/dashboard': '[data-testid="home-valves"]',
  '/ewph/eqmonitor': '[data-testid="stations"] a',
  [VALVES]: '[data-testid^="valve-row-"]',
}

/** Time in which the code of every page is preloaded, ms. */
const LOAD_AHEAD_MS = 6_000
const GIVE_UP_MS = 120_000
const MEASURED_MS = 5_000
const WHEEL_MS = 16
/** A notch of a wheel in every frame. */
const WHEEL_PX = 120

/** In the page: selects, then checks at the start of every frame whether `selector` is visible; ends after that frame. */
const toScript = (choice: string, selector: string): string => `new Promise((resolve, reject) => {
  const started = performance.now()
  document.querySelector(${JSON.stringify(choice)}).click()
  const look = () => {
    if (performance.now() - started > ${GIVE_UP_MS}) return reject(new Error('no data: ' + ${JSON.stringify(selector)}))
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.checkVisibility())
    if (!found) return requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now() - started)
    port2.postMessage(0)
  }
  requestAnimationFrame(look)
})`

async function measureFirstData(page: Page, path: string, selector: string): Promise<number> {
  await findInPalette(page, path)
  const choice = `[data-testid="palette-page ${path}"]`
  return z.number().parse(await page.evaluate(toScript(choice, selector)))
}

/** While valves are loading, the counter shows their total number. */
async function waitUntilListed(page: Page): Promise<string> {
  const count = page.getByTestId('summary-valves').locator('dd')
  const whole = count.filter({ hasNotText: '/' })
  await whole.waitFor({ timeout: GIVE_UP_MS })
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

/** Opens the pages in a running console; `report` lets the first valves of the table report while it counts frames. */
export async function measurePages(
  browser: Browser,
  { url, account, password }: LargeCompany,
  report: (work: () => Promise<Frames>) => Promise<{ readonly result: Frames; readonly cellsPerS: number }>,
): Promise<PageTimes> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto('/rtjc/rtalarm')
    await signIn(page, account, password)
    await page.locator('main .page').first().waitFor()
    await page.waitForTimeout(LOAD_AHEAD_MS)
    const firstDataMs = new Map<string, number>()
    for (const [path, selector] of Object.entries(shown)) {
      firstDataMs.set(path, await measureFirstData(page, path, selector))
    }
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
