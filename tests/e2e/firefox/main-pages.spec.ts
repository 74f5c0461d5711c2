import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Browser } from 'puppeteer-core'
import { DEMO_PASSWORD } from '../support/accounts.ts'
import { getProductUrl } from '../support/product-url.ts'
import { expect, test } from '../support/test.ts'
import { byCss, byTestId, byText, type Part, startFirefox } from './driver.ts'
import { findFirefox } from './find-firefox.ts'

const firefox = findFirefox()

const missing =
  'Skipped: Firefox is not installed on this machine. Install firefox-esr, or name one in ISOTHERM_FIREFOX.'

// The list of results names a skipped test without its reason.
if (firefox === undefined) console.log(missing)
test.skip(firefox === undefined, missing)

let browser: Browser | undefined
test.afterEach(() => browser?.close())

/** The button that expands a row of the tree. */
const toggleOf = (name: string): Part =>
  `${byText('.tree-label', name)}?.closest('[role="treeitem"]')?.querySelector('[data-part="toggle"]')`

test('in Firefox a dispatcher signs in, sets a valve, plans a balance and sees the map', async () => {
  test.setTimeout(6 * MINUTE_MS)
  const started = await startFirefox(firefox ?? '')
  browser = started.browser
  const { driver, errors } = started
  const url = getProductUrl()
  // The console supports 115 and newer.
  expect(Number(/firefox\/(\d+)/.exec(await browser.version())?.[1])).toBeGreaterThanOrEqual(115)

  await test.step('signs in', async () => {
    await driver.open(`${url}/ewph/fmreal`)
    await driver.fill(byCss('input[autocomplete="username"]'), 'dispatcher')
    await driver.fill(byCss('input[type="password"]'), DEMO_PASSWORD)
    await driver.click(byCss('button[type="submit"]'))
    await driver.see('location', 'pathname', '/ewph/fmreal')
  })

  await test.step('a valve is set, and its position is confirmed', async () => {
    const setButton = byCss('[data-testid^="set-opening-"]')
    await driver.click(setButton)
    await driver.fill(byTestId('opening-input'), '60')
    await driver.fill(byTestId('reason-input'), 'Firefox')
    await driver.see(byCss('[data-testid^="plan-"]'), 'textContent', '60')
    await driver.click(byTestId('confirm-command'))
    await driver.see(byTestId('command-state-confirmed'), 'dataset.status', 'reached', { timeout: MINUTE_MS })
  })

  await test.step('a balance is offered from the tree', async () => {
    await driver.open(`${url}/ewph/fmcontrol`)
    for (const name of ['城西区域', '翠湖换热站']) await driver.click(toggleOf(name))
    await driver.click(byText('.tree-label', '翠湖家园'), { button: 'right' })
    await driver.click(byText('[role="menuitem"]', '平衡此处'))
    await driver.see(byTestId('loop-name'), 'textContent', '翠湖家园')
    await driver.click(byTestId('one-key'))
    await driver.see(byTestId('start-submit'), 'textContent', /./)
  })

  await test.step('the map is drawn', async () => {
    await driver.open(`${url}/gis/gisshow`)
    await driver.see(byTestId('map-canvas'), 'dataset.state', 'drawn', { timeout: MINUTE_MS })
  })

  // A navigation cancels the calls of the page before.
  expect(errors.filter((text) => !text.includes('network.failed'))).toEqual([])
})
