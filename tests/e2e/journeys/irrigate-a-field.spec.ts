import {
  getIrrigation,
  setIrrigationGroup,
  setIrrigationSource,
} from '@isotherm/contract/endpoints/control/irrigation'
import { queryProjectList } from '@isotherm/contract/endpoints/network/network'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { type Product, startProduct } from '../../../tools/product/start-product.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { expect, fillLogin, test } from '../support/test.ts'

/** The twin's pumps and valves need real seconds; reports come every few of them. */
const MOVE_MS = 60_000
const GROUPS = ['东区', '西区'] as const

let product: Product

/** A source at the company with two groups of two valves each. */
async function prepareField(url: string): Promise<void> {
  const { first, second } = await signInDirectly('administrator', url)
  const projects = await callFor(
    queryProjectList,
    { token: first, pageNo: 1, pageSize: 20, projectName: '', queryGroupListStatus: 1 },
    first,
    url,
  )
  const node = String(projects.list[0]?.id)
  const settings = { name: '一号泵站', capacityM3H: 30, leadS: 0, groupDelayS: 0, afterOutage: 'resume' }
  const source = await callFor(setIrrigationSource, { node, settings }, second, url)
  for (const [index, name] of GROUPS.entries()) {
    const valves = source.candidates
      .slice(2 * index, 2 * index + 2)
      .map(({ deviceId }) => ({ deviceId, flowM3H: 6, maxS: 3_600 }))
    const group = { name, mode: 'parallel', valves }
    await callFor(setIrrigationGroup, { sourceId: source.id, settings: group }, second, url)
  }
}

test.beforeAll(async () => {
  test.setTimeout(5 * MINUTE_MS)
  product = await startProduct({ env: { ISOTHERM_SCENARIO: 'irrigation', ISOTHERM_TIME_FACTOR: '5' } })
  await prepareField(product.url)
})
test.afterAll(() => product?.stop())

test('an irrigation keeper plans a week, previews it, waters a group, interrupts, resumes and stops it', async ({
  page,
  errors,
}) => {
  test.setTimeout(5 * MINUTE_MS)
  await page.goto(`${product.url}/ewph/irrigation`)
  await fillLogin(page, 'irrigation')

  await test.step('a program with the calendar of the scheduler that runs it', async () => {
    await page.getByTestId('program-add').click()
    const form = page.getByTestId('program-form')
    await form.getByTestId('program-name').fill('晨灌')
    await form.getByTestId('program-start-time').fill('04:30')
    const calendar = form.getByTestId('irrigation-calendar')
    await expect(calendar.getByTestId('calendar-run')).not.toHaveCount(0)
    await form.getByTestId('program-seasonal').fill('50')
    await expect(calendar.getByTestId('calendar-run').last()).toContainText('50%')
    expect(await findAccessibilityViolations(page)).toEqual([])
    await form.getByTestId('program-save').click()
    await expect(page.getByTestId('program-card')).toContainText('晨灌')
  })

  await test.step('a single run: flow against the expectation, pause, resume', async () => {
    await page.goto(`${product.url}/ewph/irrgrpsx`)
    const single = page.getByTestId('single-run')
    await single.getByTestId('single-run-group').click()
    await page.locator(`.ant-select-item-option[title="${GROUPS[0]}"]`).click()
    await single.getByTestId('single-run-minutes').fill('5')
    await single.getByTestId('single-run-start').click()
    const run = page.getByTestId('irrigation-run')
    const step = run.getByTestId('irrigation-step')
    await expect(step).toHaveAttribute('data-state', 'open', { timeout: MOVE_MS })
    await expect
      .poll(async () => Number.parseFloat(await run.getByTestId('irrigation-flow').innerText()), {
        timeout: MOVE_MS,
      })
      .toBeGreaterThan(4)
    await run.getByTestId('irrigation-pause').click()
    await expect(run).toHaveAttribute('data-state', 'paused')
    await expect(step).toHaveCount(0, { timeout: MOVE_MS })
    await run.getByTestId('irrigation-resume').click()
    await expect(step).toHaveAttribute('data-state', 'open', { timeout: MOVE_MS })
  })

  await test.step('stop all closes every valve; the history has the water', async () => {
    await page.goto(`${product.url}/ewph/irrreal`)
    const map = page.getByTestId('irrigation-map')
    await expect(map.locator('circle')).toHaveCount(4)
    await expect(map.locator('[data-look="open"]')).toHaveCount(2)
    await page.getByTestId('irrigation-stop-all').click()
    await page.locator('.ant-popconfirm').getByRole('button', { name: '全部停止' }).click()
    await expect(page.getByTestId('irrigation-idle')).toContainText('晨灌', { timeout: MOVE_MS })
    expect(await findAccessibilityViolations(page)).toEqual([])
    const { second } = await signInDirectly('irrigation', product.url)
    const { datalist } = await callFor(getIrrigation, {}, second, product.url)
    const openings = datalist.flatMap(({ groups }) =>
      groups.flatMap(({ valves }) => valves.map(({ openingPct }) => openingPct)),
    )
    expect(openings).toEqual([0, 0, 0, 0])
    await page.goto(`${product.url}/ewph/irrigation?tab=history`)
    const past = page.getByTestId('irrigation-past-run')
    await expect(past).toHaveAttribute('data-state', 'stopped')
    await expect(page.getByTestId('irrigation-total')).not.toContainText('用水 0.00 m³')
  })
  expect(errors).toEqual([])
})

test.describe('on a phone in the field, in English', { tag: '@slow' }, () => {
  test.use({
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    colorScheme: 'dark',
  })

  test('a keeper previews a week, waters a group, interrupts, resumes and stops it', async ({
    page,
    errors,
  }) => {
    test.setTimeout(5 * MINUTE_MS)
    await page.goto(`${product.url}/ewph/irrigation`)
    await fillLogin(page, 'irrigation')

    await test.step('the form of a program with its calendar', async () => {
      await page.getByTestId('program-add').click()
      const form = page.getByTestId('program-form')
      await form.getByTestId('program-name').fill('Morning')
      await form.getByTestId('program-start-time').fill('04:30')
      await expect(form.getByTestId('calendar-run')).not.toHaveCount(0)
      expect(await findAccessibilityViolations(page)).toEqual([])
      await form.getByTestId('program-save').click()
      await expect(page.getByTestId('program-card')).toContainText('Morning')
      expect(await findAccessibilityViolations(page)).toEqual([])
    })

    await test.step('a single run is interrupted, resumed and stopped', async () => {
      await page.goto(`${product.url}/ewph/irrgrpsx`)
      const single = page.getByTestId('single-run')
      await single.getByTestId('single-run-group').click()
      await page.locator(`.ant-select-item-option[title="${GROUPS[1]}"]`).click()
      await single.getByTestId('single-run-start').click()
      const run = page.getByTestId('irrigation-run')
      const step = run.getByTestId('irrigation-step')
      await expect(step).toHaveAttribute('data-state', 'open', { timeout: MOVE_MS })
      await expect(run).toContainText('Watering')
      expect(await findAccessibilityViolations(page)).toEqual([])
      await run.getByTestId('irrigation-pause').click()
      await expect(run).toHaveAttribute('data-state', 'paused')
      await expect(step).toHaveCount(0, { timeout: MOVE_MS })
      await run.getByTestId('irrigation-resume').click()
      await expect(step).toHaveAttribute('data-state', 'open', { timeout: MOVE_MS })
      await run.getByTestId('irrigation-stop').click()
      await expect(run).toHaveCount(0, { timeout: MOVE_MS })
    })
    expect(errors).toEqual([])
  })
})
