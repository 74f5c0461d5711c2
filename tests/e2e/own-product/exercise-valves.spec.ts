import { getDataLastFromNodeList } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Locator } from '@playwright/test'
import type { Product } from '../../../tools/product/start-product.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { startOwnProduct } from '../support/start-own-product.ts'
import { expect, fillLogin, test } from '../support/test.ts'

/** Three steps, each with the stroke of all valves and a reading that confirms it; some valves do not answer. */
const EXERCISE_MS = 8 * MINUTE_MS
/** Smallest distance between parts of a page, px. */
const GAP_PX = 8

let product: Product

const toMonthDay = (ms: number): string => new Date(ms).toISOString().slice(5, 10)

test.beforeAll(async () => {
  test.setTimeout(5 * MINUTE_MS)
  // Today is in summer, whenever this runs.
  const winter = Date.now() + 180 * DAY_MS
  const season = `${toMonthDay(winter)}/${toMonthDay(winter + 2 * DAY_MS)}`
  product = await startOwnProduct({ env: { ISOTHERM_HEATING_SEASON: season } })
})
test.afterAll(() => product?.stop())

/** Number of valves whose opening is known: only these are set back. */
async function countKnown(token: string): Promise<number> {
  const input = { nodes: [ROOT_KEY], kinds: ['valve' as const], limiter: { page: 1, size: 1_000 } }
  const { datalist } = await callFor(getDataLastFromNodeList, input, token, product.url)
  return datalist.filter(({ metrics }) => metrics['valve.opening'] !== undefined).length
}

/** Distance from the lower edge of one part to the upper edge of the other, px. */
async function measureGap(above: Locator, below: Locator): Promise<number> {
  const [first, second] = await Promise.all([above.boundingBox(), below.boundingBox()])
  if (!first || !second) throw new Error('not visible')
  return second.y - first.y - first.height
}

test.use({ viewport: { width: 390, height: 844 } })

const title = 'in summer a dispatcher exercises all valves from a phone and reads which of them stick'

test(title, async ({ page, errors }) => {
  test.setTimeout(EXERCISE_MS + 3 * MINUTE_MS)
  const { second } = await signInDirectly('dispatcher', product.url)
  await expect.poll(() => countKnown(second), { timeout: MINUTE_MS }).toBeGreaterThan(130)
  await page.goto(`${product.url}/ewph/fmcontrol?list=exercises`)
  await fillLogin(page, 'dispatcher')
  await page.getByTestId('exercise-start').click()
  await expect(page.getByTestId('exercise-preview')).toContainText('144')
  await page.getByTestId('exercise-reason').fill('夏季活动，各换热站全部阀门')
  await page.getByTestId('exercise-confirm').click()

  const report = page.getByTestId('exercise-report')
  await test.step('the report opens, and its parts do not touch', async () => {
    const card = report.locator('li').first()
    await expect(card).toBeVisible()
    const chips = page.getByRole('toolbar', { name: '结果' })
    expect(await measureGap(page.getByTestId('exercise-cancel'), chips)).toBeGreaterThanOrEqual(GAP_PX)
    expect(await measureGap(chips, card)).toBeGreaterThanOrEqual(GAP_PX)
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await findAccessibilityViolations(page, '.ant-drawer')).toEqual([])
  })

  await test.step('most valves moved, each with its three steps', async () => {
    await expect(page.getByTestId('exercise-cancel')).toBeHidden({ timeout: EXERCISE_MS })
    await expect(page.getByRole('dialog')).toContainText('已完成')
    await page.getByTestId('exercise-outcome-moved').click()
    const whole = report.locator('li').filter({ hasText: /全开 100%.*全关 \d+%.*恢复 \d+%/ })
    await expect(whole.first()).toBeVisible()
    const moved = await page.getByTestId('exercise-outcome-moved').locator('strong').textContent()
    expect(Number(moved)).toBeGreaterThan(100)
  })
  expect(errors).toEqual([])
})
