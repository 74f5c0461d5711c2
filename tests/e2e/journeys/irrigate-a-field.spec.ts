import { readFile } from 'node:fs/promises'
import {
  getIrrigation,
  setIrrigationGroup,
  setIrrigationSource,
} from '@isotherm/contract/endpoints/control/irrigation'
import { queryProjectList } from '@isotherm/contract/endpoints/network/network'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Page } from '@playwright/test'
import type { Product } from '../../../tools/product/start-product.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { startOwnProduct } from '../support/start-own-product.ts'
import { expect, fillLogin, test } from '../support/test.ts'

/** Timeout for a movement: pumps and valves of the twin take seconds, and reports come every few seconds. */
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
  product = await startOwnProduct({ env: { ISOTHERM_SCENARIO: 'irrigation', ISOTHERM_TIME_FACTOR: '5' } })
  await prepareField(product.url)
})
test.afterAll(() => product?.stop())

/** Texts that the console shows during the journey, in its language. */
interface Words {
  readonly program: string
  readonly run: string
  readonly watering: string
  readonly stopAll: string
  readonly noWater: string
  readonly day: string
  readonly heading: string
}

/** Lines of a file that a button saves, headings first. */
async function saveCsv(page: Page, button: string): Promise<readonly string[]> {
  const coming = page.waitForEvent('download')
  await page.getByTestId(button).click()
  const path = await (await coming).path()
  return (await readFile(path, 'utf8')).replace('\uFEFF', '').trim().split('\r\n')
}

/** Plans a rotation, previews it, runs it, interrupts, resumes and stops it, and finds it in the history. */
async function keepField(page: Page, words: Words): Promise<void> {
  const readSteps = async () => {
    const { second } = await signInDirectly('irrigation', product.url)
    const { datalist } = await callFor(getIrrigation, {}, second, product.url)
    return datalist.flatMap(({ runs }) => runs.flatMap(({ steps }) => steps))
  }
  // Half a day from now in the time of the plant, so that the scheduler does not start it meanwhile.
  const startTime = new Date(Date.now() + (12 + 8) * HOUR_MS).toISOString().slice(11, 16)
  const expectAccessible = async () => expect(await findAccessibilityViolations(page)).toEqual([])
  await page.goto(`${product.url}/ewph/irrigation`)
  await fillLogin(page, 'irrigation')
  const card = page.getByTestId('program-card').filter({ hasText: words.program })
  const run = page.getByTestId('irrigation-run')
  const step = run.getByTestId('irrigation-step')

  await test.step('a program of two groups, with the calendar of the scheduler that runs it', async () => {
    await page.getByTestId('program-add').click()
    const form = page.getByTestId('program-form')
    await form.getByTestId('program-name').fill(words.program)
    await form.getByTestId('program-start-time').fill(startTime)
    const calendar = form.getByTestId('irrigation-calendar')
    await expect(calendar.getByTestId('calendar-run')).not.toHaveCount(0)
    for (const minutes of await form.getByTestId('program-minutes').all()) await minutes.fill('20')
    await form.getByTestId('program-seasonal').fill('10')
    await expect(calendar.getByTestId('calendar-run').last()).toContainText('10%')
    await expectAccessible()
    await form.getByTestId('program-save').click()
    await expect(card).toContainText(`${GROUPS[0]}`)
    await expect(card).toContainText(`${GROUPS[1]}`)
  })

  await test.step('it runs now: flow against the expectation, and the group that follows', async () => {
    await card.getByTestId('program-run').click()
    await page.locator('.ant-popconfirm').getByRole('button', { name: words.run }).click()
    await expect(step).toHaveAttribute('data-state', 'open', { timeout: MOVE_MS })
    await expect(run).toContainText(words.watering)
    await expect(step).toContainText(GROUPS[0])
    await expect(run.getByTestId('irrigation-then')).toContainText(GROUPS[1])
    await expect
      .poll(async () => Number.parseFloat(await run.getByTestId('irrigation-flow').innerText()), {
        timeout: MOVE_MS,
      })
      .toBeGreaterThan(4)
    await expectAccessible()
  })

  await test.step('it is interrupted and resumed, and goes on to the next group', async () => {
    const before = await readSteps()
    await run.getByTestId('irrigation-pause').click()
    await expect(run).toHaveAttribute('data-state', 'paused')
    await expect(step).toHaveCount(0, { timeout: MOVE_MS })
    await run.getByTestId('irrigation-resume').click()
    await expect(step).toHaveAttribute('data-state', 'open', { timeout: MOVE_MS })
    await expect(step).toContainText(GROUPS[1], { timeout: 2 * MOVE_MS })
    await expect(step).toHaveAttribute('data-state', 'open', { timeout: MOVE_MS })
    // After the interruption the first group opened once more and got the rest of its water, before the second group opened.
    const [first, second] = await readSteps()
    expect(first?.openedMs ?? 0).toBeGreaterThan(before[0]?.openedMs ?? Number.POSITIVE_INFINITY)
    expect(first?.state).toBe('closed')
    expect(second?.openedMs ?? 0).toBeGreaterThanOrEqual(first?.closedMs ?? Number.POSITIVE_INFINITY)
    expect(first?.volumeM3 ?? 0).toBeGreaterThan((0.7 * 12 * 120) / 3600)
  })

  await test.step('stop all closes every valve; the history has the water of both groups', async () => {
    await page.goto(`${product.url}/ewph/irrreal`)
    const map = page.getByTestId('irrigation-map')
    await expect(map.locator('circle')).toHaveCount(4)
    await expect(map.locator('[data-look="open"]')).toHaveCount(2)
    await page.getByTestId('irrigation-stop-all').click()
    await page.locator('.ant-popconfirm').getByRole('button', { name: words.stopAll }).click()
    await expect(page.getByTestId('irrigation-idle')).toBeVisible({ timeout: MOVE_MS })
    await expectAccessible()
    const { second } = await signInDirectly('irrigation', product.url)
    const readOpenings = async () => {
      const { datalist } = await callFor(getIrrigation, {}, second, product.url)
      return datalist.flatMap(({ groups }) =>
        groups.flatMap(({ valves }) => valves.map(({ openingPct }) => openingPct)),
      )
    }
    await expect.poll(readOpenings, { timeout: MOVE_MS }).toEqual([0, 0, 0, 0])
    await page.goto(`${product.url}/ewph/irrigation?tab=history`)
    await expect(page.getByTestId('irrigation-past-run').first()).toHaveAttribute('data-state', 'stopped')
    await expect(page.getByTestId('irrigation-water').locator('li')).toHaveCount(2)
    await expect(page.getByTestId('irrigation-total')).not.toContainText(words.noWater)
    await expectAccessible()
  })

  await test.step('the history and the water of the field are saved as files', async () => {
    await expect(page.getByTestId('field-water').locator('li')).toHaveCount(1)
    const [runs, water] = [
      await saveCsv(page, 'irrigation-export'),
      await saveCsv(page, 'field-water-export'),
    ]
    expect(runs[0]).toContain(words.heading)
    expect(runs.slice(1).some((line) => line.includes(words.program))).toBe(true)
    const [, today] = water
    expect(today).toMatch(/^\d{4}-\d{2}-\d{2},/)
    expect(Number.parseFloat(today?.split(',').at(-3) ?? '')).toBeGreaterThan(0)
  })

  await test.step('a rain delay keeps the program from its next start until it is ended', async () => {
    await page.goto(`${product.url}/ewph/irrreal`)
    const readNext = async () => {
      const { second } = await signInDirectly('irrigation', product.url)
      const { datalist } = await callFor(getIrrigation, {}, second, product.url)
      return datalist.flatMap(({ next }) => next)[0]?.conflicts.map(({ kind }) => kind)
    }
    expect(await readNext()).not.toContain('paused')
    await page.getByTestId('irrigation-delay').click()
    await page.getByRole('menuitem', { name: words.day }).click()
    await expect(page.getByTestId('irrigation-delay-end')).toBeVisible()
    expect(await readNext()).toContain('paused')
    await expectAccessible()
    await page.getByTestId('irrigation-delay-end').click()
    await expect(page.getByTestId('irrigation-delay')).toBeVisible()
    expect(await readNext()).not.toContain('paused')
  })
}

test('an irrigation keeper plans a rotation, previews it, runs it, interrupts, resumes and stops it', async ({
  page,
  errors,
}) => {
  test.setTimeout(8 * MINUTE_MS)
  await keepField(page, {
    program: '晨灌',
    run: '立即轮灌',
    watering: '灌溉中',
    stopAll: '全部停止',
    noWater: '用水 0.00 m³',
    day: '24 小时',
    heading: '轮灌',
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

  test('a keeper plans a rotation, previews it, runs it, interrupts, resumes and stops it, and waters a group once', async ({
    page,
    errors,
  }) => {
    test.setTimeout(8 * MINUTE_MS)
    await keepField(page, {
      program: 'Morning',
      run: 'Run now',
      watering: 'Watering',
      stopAll: 'Stop all',
      noWater: ' 0.00 m³',
      day: '24 hours',
      heading: 'Remarks',
    })
    await page.goto(`${product.url}/ewph/irrgrpsx`)
    const single = page.getByTestId('single-run')
    await single.getByTestId('single-run-group').click()
    await page.locator(`.ant-select-item-option[title="${GROUPS[1]}"]`).click()
    await single.getByTestId('single-run-start').click()
    const run = page.getByTestId('irrigation-run')
    const step = run.getByTestId('irrigation-step')
    await expect(step).toHaveAttribute('data-state', 'open', { timeout: MOVE_MS })
    expect(await findAccessibilityViolations(page)).toEqual([])
    await run.getByTestId('irrigation-stop').click()
    await expect(run).toHaveCount(0, { timeout: MOVE_MS })
    expect(errors).toEqual([])
  })
})
