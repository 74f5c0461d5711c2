import { median } from '@isotherm/kernel/statistics'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { findInPalette } from './sign-in.ts'

export interface SwitchTimes {
  /** From a click on an open tab to the end of the frame that shows its view, median, ms. */
  readonly cachedMs: number
  /** From selecting a page with loaded code to the end of the frame that shows it, worst, ms. */
  readonly loadedMs: number
  /** From one frame to the next while idle, median, ms. */
  readonly frameMs: number
  readonly samples: number
}

const SAMPLES = 15

/** Waiting time, ms: the console preloads the code of every page, which must not disturb the measurement. */
const LOAD_AHEAD_MS = 6_000

/** A page that is not shown by then never is. */
const SHOWN_LIMIT_MS = 30_000

/**
 * A script for the page: clicks a tab, then checks at the start of every frame whether the view of `path` is visible. The
 * message of a message channel arrives after that frame is painted.
 */
const toScript = (path: string, click: string): string => `new Promise((resolve, reject) => {
  const path = ${JSON.stringify(path)}
  const started = performance.now()
  ${click}
  const look = () => {
    const shown = location.pathname === path &&
      [...document.querySelectorAll('main > *')].some((view) => view.checkVisibility() && view.matches('[class*=page]'))
    if (performance.now() - started > ${SHOWN_LIMIT_MS})
      return reject(new Error(path + ' is not shown, but ' + location.pathname))
    if (!shown) return requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now() - started)
    port2.postMessage(0)
  }
  requestAnimationFrame(look)
})`

/** A script for the page: time from the start of one frame to the start of the next, ms. */
const FRAME_SCRIPT = `new Promise((resolve) => requestAnimationFrame((first) =>
  requestAnimationFrame((second) => resolve(second - first))))`

const measureTab = async (page: Page, path: string): Promise<number> => {
  const link = `document.querySelector('[data-tab=${JSON.stringify(path)}]').click()`
  return z.number().parse(await page.evaluate(toScript(path, link)))
}

async function measureFrame(page: Page): Promise<number> {
  const times: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    times.push(z.number().parse(await page.evaluate(FRAME_SCRIPT)))
    await page.waitForTimeout(50)
  }
  return median(times) ?? Number.NaN
}

/** Opens a page that has no tab yet. The palette opens it, because a menu would have to be hovered first. */
async function measureFirstShowing(page: Page, path: string): Promise<number> {
  await findInPalette(page, path)
  const click = `document.querySelector('[data-testid="palette-page ${path}"]').click()`
  return z.number().parse(await page.evaluate(toScript(path, click)))
}

/** Opens each page for the first time, then switches between their tabs. */
export async function measureSwitches(
  page: Page,
  first: string,
  paths: readonly string[],
): Promise<SwitchTimes> {
  await page.waitForTimeout(LOAD_AHEAD_MS)
  const loaded: number[] = []
  for (const path of paths) {
    loaded.push(await measureFirstShowing(page, path))
    await page.waitForTimeout(1_500)
  }
  const cached: number[] = []
  const open = [first, ...paths]
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    cached.push(await measureTab(page, open[sample % open.length] ?? first))
    await page.waitForTimeout(400)
  }
  const frameMs = await measureFrame(page)
  return { cachedMs: median(cached) ?? Number.NaN, loadedMs: Math.max(...loaded), frameMs, samples: SAMPLES }
}
