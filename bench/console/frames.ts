import type { Page } from '@playwright/test'
import { z } from 'zod'

/** Statistics of the frames that a page painted in some time. */
export interface Frames {
  readonly fps: number
  /** Longest time from one frame to the next, ms. */
  readonly worstMs: number
}

const frames = z.object({ fps: z.number(), worstMs: z.number() })

const toScript = (ms: number): string => `new Promise((resolve) => {
  let frames = 0
  let worstMs = 0
  const started = performance.now()
  let before
  const count = (now) => {
    frames += 1
    if (before !== undefined) worstMs = Math.max(worstMs, now - before)
    before = now
    if (performance.now() - started < ${ms}) requestAnimationFrame(count)
    else resolve({ fps: frames / (performance.now() - started) * 1000, worstMs })
  }
  requestAnimationFrame(count)
})`

/** Counts the frames of a page for the given ms. */
export const countFrames = async (page: Page, ms: number): Promise<Frames> =>
  frames.parse(await page.evaluate(toScript(ms)))
