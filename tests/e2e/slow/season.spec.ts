import { MINUTE_MS } from '@isotherm/kernel/durations'
import { type Product, startProduct } from '../../../tools/product/start-product.ts'
import { expect, fillLogin, test } from '../support/test.ts'

/** Simulated, sent, and computed to days by the next pass of the rollups. */
const FILLED_MS = 4 * MINUTE_MS

let product: Product

test.beforeAll(async () => {
  test.setTimeout(5 * MINUTE_MS)
  product = await startProduct({ env: { ISOTHERM_SEASON_DAYS: '10' } })
})
test.afterAll(() => product?.stop())

const title =
  'the demo fills the days before its first start: statistics of whole days have every valve and meter, and irrigation its water'

test(title, { tag: '@slow' }, async ({ page, errors }) => {
  test.setTimeout(7 * MINUTE_MS)
  await page.goto(`${product.url}/stat/statsys?period=week`)
  await fillLogin(page, 'dispatcher')
  await expect(page.getByTestId('report-choice')).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByTestId('report-figures')).toContainText('144 / 144', { timeout: 10_000 })
  }).toPass({ timeout: FILLED_MS })
  await page.getByTestId('report-choice').getByText('热量').click()
  await expect(page.getByTestId('report-figures')).toContainText('48 / 48')

  // Sixteen waterings a day of the greenhouse by the timer of its cabinet.
  await page.goto(`${product.url}/ewph/irrigation?tab=history`)
  await expect
    .poll(async () => Number(/\d+/.exec(await page.getByTestId('irrigation-total').innerText())?.[0]), {
      timeout: FILLED_MS,
    })
    .toBeGreaterThan(150)
  await expect(page.getByTestId('irrigation-water').locator('li')).toHaveCount(6)
  await expect(page.getByTestId('irrigation-past-run').last()).toHaveAttribute('data-observed', 'true')
  expect(errors).toEqual([])
})
