import { MINUTE_MS } from '@isotherm/kernel/durations'
import { toOldestLaunchOptions } from '../../../tools/product/chromium.ts'
import { expect, signIn, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

const oldest = toOldestLaunchOptions()

test.skip(oldest === undefined, 'no package of an old Chromium for this machine')
test.use({ launchOptions: oldest ?? {} })

test('in Chromium 109 a dispatcher signs in, sets a valve, plans a balance and sees the map', async ({
  page,
  errors,
  browser,
}) => {
  test.setTimeout(4 * MINUTE_MS)
  expect(browser.version()).toMatch(/^109\./)
  await page.addInitScript(
    'document.addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective, event.blockedURI))',
  )
  // The guard reads this address as soon as the first script runs.
  await page.goto('/login?redirect=%2Fdashboard')
  await expect(page.locator('input[name="account"]')).toBeVisible()
  await signIn(page, 'dispatcher')
  await expect(page.getByText('浏览器版本过低')).toBeHidden()

  await page.goto('/ewph/fmreal')
  const setButton = page.locator('[data-testid^="set-opening-"]').first()
  const deviceId = (await setButton.getAttribute('data-testid'))?.replace('set-opening-', '')

  await test.step('a valve is set, and its position is confirmed', async () => {
    await setButton.click()
    await page.getByTestId('opening-input').fill('60')
    await page.getByTestId('reason-input').fill('oldest browser')
    await expect(page.getByTestId(`plan-${deviceId}`)).toContainText('60')
    await page.getByTestId('confirm-command').click()
    await expect(page.getByTestId('command-state-confirmed')).toHaveAttribute('data-status', 'reached', {
      timeout: MINUTE_MS,
    })
  })

  await test.step('its curves are drawn', async () => {
    await page.goto(`/ewph/fmhistory?devices=${deviceId}&range=15m`)
    await expect(page.getByTestId('history-chart').locator('canvas')).toBeVisible()
  })

  await test.step('a balance is offered from the tree', async () => {
    await openTree(page)
    await expand(page, '城西区域', '翠湖换热站')
    await row(page, '翠湖家园').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '平衡此处' }).click()
    await expect(page.getByTestId('loop-name')).toContainText('翠湖家园')
    await page.getByTestId('one-key').click()
    await expect(page.getByTestId('start-submit')).toBeVisible()
  })

  await test.step('the map is drawn', async () => {
    await page.goto('/gis/gisshow')
    await expect(page.getByTestId('map-canvas')).toHaveAttribute('data-state', 'drawn', {
      timeout: MINUTE_MS,
    })
  })

  // A navigation cancels the calls of the page before.
  expect(errors.filter((text) => !text.includes('network.failed'))).toEqual([])
})

test('without scripts the page asks the user to allow JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  await page.goto('/login')
  await expect(page.locator('noscript')).toBeVisible()
  await context.close()
})
