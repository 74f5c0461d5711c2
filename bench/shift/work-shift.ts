import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Browser } from '@playwright/test'
import { type Mark, smallest, takeMark } from './marks.ts'
import { runCycle, signIn } from './operator.ts'

/** A shift of three hours as cycles of an operator's work. `firstRounds` cycles are its first ten minutes. */
export interface Shift {
  readonly rounds: number
  readonly firstRounds: number
  /** Shortest time between the starts of two cycles, s; 0: no pause. */
  readonly everyS: number
}

export interface ShiftResult {
  /** Memory after the first cycles and after all cycles. */
  readonly first: Mark
  readonly last: Mark
}

/** Longer than any cache lifetime of the console, ms. */
const CACHED_MS = 6 * MINUTE_MS

/** Number of measurements of one mark. */
const LOOKS = 4

/**
 * Works a shift in a separate browser and measures the page's memory after the first cycles and at the end. The
 * console's caches live five minutes, so a short shift would only fill them; therefore the page's clock moves forward
 * by more than that before each measurement. Each mark is the smallest of several measurements: objects that are in
 * use for a moment, such as a closing menu, are gone in a later one; a leak is in all of them.
 */
export async function workShift(
  browser: Browser,
  { url, account, password }: { readonly url: string; readonly account: string; readonly password: string },
  { rounds, firstRounds, everyS }: Shift,
  say: (text: string) => void,
): Promise<ShiftResult> {
  const viewport = { width: 1440, height: 900 }
  const page = await browser.newPage({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai', viewport })
  const thrown: Error[] = []
  page.on('pageerror', (error) => thrown.push(error))
  try {
    await page.clock.install()
    const session = await page.context().newCDPSession(page)
    const look = async (): Promise<Mark> => {
      const marks: Mark[] = []
      for (let time = 0; time < LOOKS; time += 1) {
        await page.clock.fastForward(CACHED_MS)
        marks.push(await takeMark(page, session))
      }
      return smallest(marks)
    }
    await signIn(page, url, account, password)
    let first: Mark | undefined
    for (let round = 1; round <= rounds; round += 1) {
      const started = performance.now()
      await runCycle(page)
      if (thrown[0]) throw new Error(`The page threw in round ${round}`, { cause: thrown[0] })
      const tookS = (performance.now() - started) / 1000
      say(`round ${round} of ${rounds}: ${tookS.toFixed(1)} s`)
      if (round === firstRounds) first = await look()
      else if (round < rounds) await page.waitForTimeout(Math.max(0, everyS - tookS) * 1000)
    }
    if (!first) throw new Error('A shift needs more rounds than its beginning')
    return { first, last: await look() }
  } finally {
    await page.close()
  }
}
