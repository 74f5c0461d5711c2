import { randomUUID } from 'node:crypto'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { addGateway, type MeterValues } from '../support/add-gateway.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { expect, test } from '../support/test.ts'
import { expectAccessible, views } from '../support/views.ts'

const texts = {
  zh: { finding: '温度传感器开路、短路或跳变' },
  en: { finding: 'Temperature sensor open, shorted or jumping' },
} as const

for (const view of views.filter(({ isChecked }) => isChecked)) {
  const { screen, language, locale, viewport, hasTouch } = view
  const text = texts[language]

  test.describe(`maintenance, ${screen}, ${language}`, { tag: '@slow' }, () => {
    test.use({ locale, viewport, hasTouch, role: 'maintenance' })

    test('finds a meter with impossible values on the home page, debugs it, and sees it well again', async ({
      page,
      errors,
    }) => {
      const unique = randomUUID().slice(0, 8)
      const [imei, name] = [`M-${unique}`, `Meter ${unique}`]
      const gateway = await addGateway(unique, `Gateway ${unique}`)
      await gateway.addMeter(imei, name)
      const well = { 'heat.energy': 1234, 'temp.supply': 48.5, 'temp.return': 38.2, 'heat.flow': 0.81 }
      const { second: token } = await signInDirectly('maintenance')
      /** Sends readings until the meter has so many findings that persist. */
      const sendUntil = (values: MeterValues, count: number) =>
        expect(async () => {
          // The server takes readings as soon as its directory has the device.
          await gateway.send(imei, values)
          const { datalist } = await callFor(getFindings, { isOpen: true }, token)
          expect(datalist.filter((each) => each.imei === imei)).toHaveLength(count)
        }).toPass()
      const finding = page.getByTestId('home-findings').locator('li').filter({ hasText: name })

      await test.step('home lists it with the reason', async () => {
        await sendUntil({ ...well, 'temp.return': 0 }, 1)
        await page.goto('/dashboard')
        await expect(finding).toContainText(text.finding)
        await expectAccessible(page, view)
      })

      await test.step('a click opens its page with the finding', async () => {
        await finding.getByRole('link').click()
        await expect(page).toHaveURL(/\/dev\/devdebug\?id=\d+/)
        await expect(page.getByRole('main')).toContainText(imei)
        await expect(page.getByRole('main')).toContainText(text.finding)
        await expectAccessible(page, view)
      })

      await test.step('after a plausible reading it is gone from home', async () => {
        await sendUntil(well, 0)
        await page.goto('/dashboard')
        await expect(page.getByTestId('home-valves')).toBeVisible()
        await expect(finding).toHaveCount(0)
      })
      expect(errors).toEqual([])
    })
  })
}
