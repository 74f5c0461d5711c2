import { getMeterRows, type MeterRow } from '@isotherm/contract/endpoints/monitoring/meters'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Product } from '../../../tools/product/start-product.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { readSheet } from '../support/read-sheet.ts'
import { startOwnProduct } from '../support/start-own-product.ts'
import { expect, fillLogin, test } from '../support/test.ts'
import { expectAccessible, views } from '../support/views.ts'

/** Simulated, sent, and computed to days by the next pass of the rollups. */
const FILLED_MS = 4 * MINUTE_MS

let product: Product

test.beforeAll(async () => {
  test.setTimeout(5 * MINUTE_MS)
  product = await startOwnProduct({ env: { ISOTHERM_SEASON_DAYS: '10' } })
})
test.afterAll(() => product?.stop())

const title =
  'the demo fills the days before its first start: statistics of whole days have every valve and meter, and irrigation its water'

test(title, async ({ page, errors }) => {
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

/** The prices that the test bills with: yuan/m² for the period, and yuan/GJ. */
const [PER_M2, PER_GJ] = [12.5, 45]
/** Places of the columns of a bill. */
const [AREA, FIXED, HEAT, PRICE, VARIABLE, TOTAL, REMARK] = [5, 6, 7, 12, 13, 14, 15]

for (const view of views.filter(({ isChecked }) => isChecked)) {
  const { screen, language, locale, viewport, hasTouch } = view

  test.describe(`the season's heat, ${screen}, ${language}`, () => {
    // The phone is in Berlin: its days begin later than those of the plant in China, and its clocks change.
    const timezoneId = screen === 'phone' ? 'Europe/Berlin' : 'Asia/Shanghai'
    test.use({ locale, viewport, hasTouch, timezoneId })

    test('a dispatcher reads the heat of buildings and its days, and the bills of the households add up', async ({
      page,
      errors,
    }) => {
      test.setTimeout(7 * MINUTE_MS)
      const { second: token } = await signInDirectly('dispatcher', product.url)
      const { to } = await callFor(getMeterRows, { level: 'building' }, token, product.url)
      const from = new Date(Date.parse(to) - 6 * DAY_MS).toISOString().slice(0, 10)
      const query = { level: 'building', from, to, sort: 'heat', descending: true } as const
      let most: MeterRow | undefined
      await expect(async () => {
        most = (await callFor(getMeterRows, query, token, product.url)).datalist[0]
        expect(most?.meter?.counted?.missingDays).toBe(0)
      }).toPass({ timeout: FILLED_MS })
      const [node, serial] = [most?.node, most?.meter?.serial ?? '']
      const heatGj = (most?.meter?.counted?.heatKwh ?? 0) * 0.0036

      await test.step('the building with the most heat, in GJ', async () => {
        await page.goto(`${product.url}/calr/caldata?level=building&unit=GJ&sort=-heat&from=${from}&to=${to}`)
        await fillLogin(page, 'dispatcher')
        await expect(page.getByTestId('meter-weather')).toContainText('K·d')
        await expect(page.getByTestId('meter-from')).toHaveValue(from)
        await expect(page.getByTestId('meter-to')).toHaveValue(to)
        await expectAccessible(page, view)
        await page.getByTestId(`record-${node}`).filter({ visible: true }).click()
      })

      await test.step('its days add up to its heat', async () => {
        const drawer = page.getByTestId('meter-drawer')
        await expect(drawer).toContainText(serial)
        const bars = drawer.getByTestId('meter-course').locator('li')
        await expect(bars.first()).toBeAttached()
        const titles = await bars.evaluateAll((items) =>
          items.map((item) => item.getAttribute('title') ?? ''),
        )
        const sum = titles.reduce(
          (total, title) => total + Number(/: (-?[\d.,]+)/.exec(title)?.[1]?.replaceAll(',', '')),
          0,
        )
        expect(sum / heatGj).toBeCloseTo(1, 1)
        expect([titles.length, titles[0]?.split(':')[0], titles.at(-1)?.split(':')[0]]).toEqual([7, from, to])
        await expectAccessible(page, view)
        await page.keyboard.press('Escape')
      })

      await test.step('the bills of the households', async () => {
        await page.getByTestId('bill-open').click()
        const [perM2, perHeat] = [page.getByRole('spinbutton').first(), page.getByRole('spinbutton').last()]
        await perM2.fill(String(PER_M2))
        await perHeat.fill(String(PER_GJ))
        await expectAccessible(page, view)
        const coming = page.waitForEvent('download')
        await page.getByTestId('bill-download').click()
        const [, ...bills] = await readSheet(await (await coming).path())
        expect(bills.length).toBeGreaterThan(0)
        for (const bill of bills) {
          const [area, fixed, heat, price, variable, total] = [AREA, FIXED, HEAT, PRICE, VARIABLE, TOTAL].map(
            (column) => (bill.has(column) ? Number(bill.get(column)) : undefined),
          )
          expect(price).toBe(PER_GJ)
          if (area !== undefined) expect(fixed).toBeCloseTo(area * PER_M2, 2)
          if (heat !== undefined) expect(Math.abs((variable ?? 0) - heat * PER_GJ)).toBeLessThan(0.03)
          if (total === undefined) expect(bill.get(REMARK)).toBeTruthy()
          else expect(total).toBeCloseTo((fixed ?? 0) + (variable ?? 0), 2)
        }
      })
      expect(errors).toEqual([])
    })
  })
}
