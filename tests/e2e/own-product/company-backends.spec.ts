import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Product } from '../../../tools/product/start-product.ts'
import { DEMO_PASSWORD } from '../support/accounts.ts'
import { getProductUrl } from '../support/product-url.ts'
import { startOwnProduct } from '../support/start-own-product.ts'
import { expect, fillLogin, test } from '../support/test.ts'

const TITLE = '乙公司二网平台'

let console: Product

test.beforeAll(async () => {
  test.setTimeout(5 * MINUTE_MS)
  // A production installation without data of its own, in front of the backends of the tested demo.
  console = await startOwnProduct({
    command: 'serve',
    env: {
      ISOTHERM_FIRST_BACKEND: `${getProductUrl()}/usrCloud`,
      ISOTHERM_SECOND_BACKEND: `${getProductUrl()}/ht-api/api`,
      ISOTHERM_COMPANY_TITLE: TITLE,
    },
  })
})
test.afterAll(() => console?.stop())

test('the console of one server works with the accounts, data, live values and commands of another', async ({
  page,
  errors,
}) => {
  test.setTimeout(3 * MINUTE_MS)
  await page.goto(console.url)
  await expect(page).toHaveTitle(new RegExp(TITLE))
  await fillLogin(page, 'dispatcher', DEMO_PASSWORD)
  await expect(page.getByTestId('home-valves')).toBeVisible()

  await page.goto(`${console.url}/ewph/fmreal`)
  const set = page.locator('[data-testid^="set-opening-"]').first()
  await set.click()
  await page.getByTestId('opening-input').fill('57')
  await page.getByTestId('reason-input').fill('through another server')
  await page.getByTestId('confirm-command').click()
  await expect(page.getByTestId('command-state-confirmed')).toHaveAttribute('data-status', 'reached', {
    timeout: MINUTE_MS,
  })

  // Everything went to the one origin that the page came from.
  const origins = await page.evaluate(
    '[...new Set(performance.getEntriesByType("resource").map(({ name }) => new URL(name).origin))]',
  )
  expect(origins).toEqual([console.url])
  // A navigation cancels the calls of the page before.
  expect(errors.filter((text) => !text.includes('network.failed'))).toEqual([])
})
