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

/** Time in which the code of every page is preloaded, ms. */
const LOAD_AHEAD_MS = 6_000

/**
 * Runs in the page: clicks a tab's link, then checks at the start of every frame whether the view of that path is visible.
 * The message channel runs after that frame is painted.
 */
const toScript = (path: string, click: string): string => `new Promise((resolve) => {
  const path = ${JSON.stringify(path)}
  const started = performance.now()
  ${click}
  const look = () => {
    const shown = location.pathname === path &&
      [...document.querySelectorAll('main > *')].some((view) => view.checkVisibility() && view.matches('.page'))
    if (!shown) return requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now() - started)
    port2.postMessage(0)
  }
  requestAnimationFrame(look)
})`

/** In the page: from the start of one frame to the start of the next. */
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

/** Opens a page without a tab by the palette, so that no menu must be hovered. */
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
