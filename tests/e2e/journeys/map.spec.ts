import { getMapPlace } from '@isotherm/contract/endpoints/network/map'
import { updateZoneGis } from '@isotherm/contract/endpoints/network/zone-gis'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { callFor, signInDirectly } from '../support/api.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

const MAP = '/gis/gisshow'

const canvas = (page: Page) => page.getByTestId('map-canvas')
const lines = (page: Page) => page.locator('[data-testid^="map-place-"]')
const details = (page: Page) => page.getByTestId('map-details')

/** The map does not move and is drawn completely. */
const expectDrawn = (page: Page) => expect(canvas(page)).toHaveAttribute('data-state', 'drawn')

/** Number of places in the list. The list has a query of its own, which may end after the map is drawn. */
async function readTotal(page: Page): Promise<string> {
  const total = page.getByTestId('map-list').getByRole('status')
  await expect(total).toHaveText(/[1-9]/)
  return total.innerText()
}

/** Node of the place whose details are open. */
const toNode = (page: Page): string => new URL(page.url()).searchParams.get('place') ?? ''

const painted = z.object({ accent: z.number(), ink: z.number(), good: z.number(), free: z.number() })

/** Number of canvas pixels in the colours of the network, and the share of empty canvas. */
const countPainted = async (page: Page) =>
  painted.parse(
    await page.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      const read = (colour) => {
        probe.style.color = colour
        return getComputedStyle(probe).color.match(/\\d+/g).map(Number)
      }
      const wanted = {
        accent: [read('var(--accent)')],
        ink: [read('var(--ink)')],
        good: [read('var(--good)')],
      }
      probe.remove()
      const canvas = document.querySelector('[data-testid="map-canvas"] canvas[data-layer="network"]')
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
      copy.drawImage(canvas, 0, 0)
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
      const counts = { accent: 0, ink: 0, good: 0, free: 0 }
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 0) counts.free += 1
        for (const name of Object.keys(wanted))
          if (wanted[name].some((rgb) => rgb.every((part, index) => Math.abs(data[at + index] - part) < 3)))
            counts[name] += 1
      }
      return { ...counts, free: counts.free / (data.length / 4) }
    })()`),
  )

async function readPlace(node: string) {
  const { second } = await signInDirectly('administrator')
  return callFor(getMapPlace, { node }, second)
}

/** Places a node on the map by a direct call, as another user would. */
async function putPlace(node: string, longitudeDeg: number): Promise<void> {
  const { second } = await signInDirectly('administrator')
  const { place, version } = await callFor(getMapPlace, { node }, second)
  if (!place) throw new Error(`${node} has no position`)
  await callFor(updateZoneGis, { items: [{ node, version, place: { ...place, longitudeDeg } }] }, second)
}

test.describe('the map', () => {
  test.use({ role: 'administrator' })

  test('opens from the menu of the tree and shows the building, and leads on to other pages about it', {
    tag: '@slow',
  }, async ({ page, errors }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await row(page, '一号楼').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '地图中查看' }).click()
    await expect(page).toHaveURL((url) => url.pathname === MAP)
    await expectDrawn(page)
    await expect(page.getByRole('region', { name: /^管网地图：1 处，按回水温度着色/ })).toBeVisible()
    await expect(lines(page)).toHaveCount(1)
    await lines(page).click()
    await expect(details(page)).toContainText('东苑换热站 / 东苑小区 / 一号楼')
    await expect(details(page)).toContainText('供水温度')
    await details(page)
      .getByRole('button', { name: /(^|\s)历史$/ })
      .click()
    await expect(page).toHaveURL(/\/ewph\/fmhistory/)
    await expect(page.getByTestId('tree-selection')).toHaveText('一号楼')
    expect(errors).toEqual([])
  })

  test('opens what is clicked, follows the metric, and moves by keys and buttons', async ({ page }) => {
    test.setTimeout(120_000)
    await page.goto(MAP)
    await expectDrawn(page)
    // The ground is the map file of the demo, with its attribution.
    await expect(canvas(page)).toContainText('虚构城镇')
    const total = page.getByTestId('map-list').getByRole('status')
    const whole = await readTotal(page)

    await test.step('changes its colours, legend and list with the metric', async () => {
      await page.getByTestId('map-by').click()
      await page.getByTitle('开度', { exact: true }).click()
      await expect(page).toHaveURL(/by=valve.opening/)
      await expect(page.getByTestId('map-legend')).toContainText('0%')
      await expect(page.getByTestId('map-legend')).toContainText('100%')
      await expect(lines(page).filter({ hasText: '%' }).first()).toBeVisible()
      const order = page.getByRole('combobox', { name: '排序' })
      await expect(order).toBeVisible()
      await page.getByTestId('map-by').click()
      await page.getByTitle('设备状态', { exact: true }).click()
      await expect(page.getByTestId('map-legend')).toContainText('半数以上异常')
      // States have no numeric order.
      await expect(order).toHaveCount(0)
      await expect(total).toHaveText(whole)
    })

    await test.step('opens what is clicked on it', async () => {
      await lines(page).first().click()
      await page.getByRole('button', { name: '在地图上居中' }).click()
      await expect(page).toHaveURL(/at=/)
      await expect(total).toHaveText(/[1-9]/)
      await expect(total).not.toHaveText(whole)
      await page.keyboard.press('Escape')
      await expect(details(page)).toHaveCount(0)
      await expectDrawn(page)
      const box = await canvas(page).boundingBox()
      if (!box) throw new Error('the map has no place')
      await canvas(page).click({ position: { x: box.width / 2, y: box.height / 2 } })
      await expect(details(page)).toContainText('东苑换热站')
      await page.keyboard.press('Escape')
      await expect(details(page)).toHaveCount(0)
    })

    await test.step('moves and zooms by keys and buttons; another selection is shown whole', async () => {
      const zoom = () => Number(new URL(page.url()).searchParams.get('at')?.split(',')[2] ?? Number.NaN)
      const centred = zoom()
      await page.getByTestId('map-in').click()
      await expect.poll(zoom).toBeGreaterThan(centred)
      // A key while it still moves is lost.
      await expectDrawn(page)
      const before = zoom()
      await page.getByRole('region', { name: /^管网地图/ }).focus()
      await page.keyboard.press('-')
      await expect.poll(zoom).toBeLessThan(before)
      const west = () => Number(new URL(page.url()).searchParams.get('at')?.split(',')[0])
      const left = west()
      await page.keyboard.press('ArrowRight')
      await expect.poll(west).toBeGreaterThan(left)
      await row(page, '城西区域').click()
      await expectDrawn(page)
      const listed = page.getByTestId('map-list')
      await expect(listed).not.toContainText('东苑换热站')
      await expect(listed).toContainText('城西区域')
    })
  })

  test('moves a position by coordinates and by the marker, and neither misses nor overwrites the change of another user', {
    tag: '@slow',
  }, async ({ page }) => {
    await page.goto(MAP)
    await expectDrawn(page)
    await lines(page).filter({ hasText: '三号楼' }).first().click()
    await expect(details(page)).toBeVisible()
    const node = toNode(page)
    const { place: original } = await readPlace(node)
    if (!original) throw new Error('the building has no position')
    const longitude = page.getByTestId('map-longitude')

    await test.step('typed, in either system of coordinates', async () => {
      await page.getByTestId('map-edit').click()
      await expect(longitude).toHaveValue(original.longitudeDeg.toFixed(7))
      await page.getByText('GCJ-02', { exact: true }).click()
      await expect
        .poll(async () => Math.abs(Number(await longitude.inputValue()) - original.longitudeDeg))
        .toBeGreaterThan(0.001)
      await page.getByText('WGS-84', { exact: true }).last().click()
      await longitude.fill((original.longitudeDeg + 0.001).toFixed(7))
      await page.getByTestId('map-save').click()
      await expect(page.getByText('三号楼 的位置已保存')).toBeVisible()
      const { place } = await readPlace(node)
      expect(place?.longitudeDeg).toBeCloseTo(original.longitudeDeg + 0.001, 6)
      expect(place?.latitudeDeg).toBeCloseTo(original.latitudeDeg, 6)
    })

    await test.step('shown anew, without a reload, when another user changes it', async () => {
      await putPlace(node, original.longitudeDeg + 0.003)
      await expect(page.getByTestId('map-position')).toContainText((original.longitudeDeg + 0.003).toFixed(6))
    })

    await test.step('dragged', async () => {
      await page.getByTestId('map-edit').click()
      const marker = page.getByLabel(/^三号楼 的新位置/)
      const before = Number(await longitude.inputValue())
      const at = await marker.boundingBox()
      if (!at) throw new Error('the marker has no place')
      await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2)
      await page.mouse.down()
      await page.mouse.move(at.x + at.width / 2 + 40, at.y + at.height / 2, { steps: 4 })
      await page.mouse.up()
      await expect.poll(async () => Number(await longitude.inputValue())).toBeGreaterThan(before)
    })

    await test.step('left by the back button: clicks on the map open places again', async () => {
      await page.goBack()
      await expect(details(page)).toHaveCount(0)
      await expect(page.getByLabel(/^三号楼 的新位置/)).toHaveCount(0)
      await page.goForward()
      await expect(page.getByTestId('map-edit').or(page.getByTestId('map-position-form'))).toBeVisible()
      if (await page.getByTestId('map-edit').isVisible()) await page.getByTestId('map-edit').click()
    })

    await test.step('is refused if another user saved meanwhile', async () => {
      await putPlace(node, original.longitudeDeg + 0.002)
      await page.getByTestId('map-save').click()
      await expect(details(page)).toContainText('刚被 admin 修改')
      await page.getByRole('button', { name: '读取最新位置' }).click()
      await expect(longitude).toHaveValue((original.longitudeDeg + 0.002).toFixed(7))
      await longitude.fill(original.longitudeDeg.toFixed(7))
      await page.getByTestId('map-save').click()
      await expect(page.getByTestId('map-position')).toBeVisible()
      expect((await readPlace(node)).place?.longitudeDeg).toBeCloseTo(original.longitudeDeg, 6)
    })
  })

  const withoutWebgl =
    'is drawn without WebGL: stations, pipes and names stand on its canvas in the colours of the legend'

  test(withoutWebgl, { tag: '@slow' }, async ({ page, errors }) => {
    await page.addInitScript(`
      const get = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest)
      }
    `)
    await page.goto(`${MAP}?by=health`)
    await expectDrawn(page)
    // Zoomed in until buildings show their names: further out, hardly any pixel of a letter has exactly one colour.
    await lines(page).filter({ hasText: '东苑换热站' }).first().click()
    await page.getByRole('button', { name: '在地图上居中' }).click()
    await expect(page).toHaveURL(/at=/)
    await expectDrawn(page)
    // A demo that has just started has few readings: its buildings become good after their first reports.
    await expect.poll(async () => (await countPainted(page)).good, { timeout: 60_000 }).toBeGreaterThan(100)
    const painted = await countPainted(page)
    // Checks that circles, their edges, names and the background of names have their colours, and that most of the
    // map is empty.
    expect(painted.accent).toBeGreaterThan(50)
    expect(painted.ink).toBeGreaterThan(50)
    expect(painted.free).toBeGreaterThan(0.5)
    await page.getByTestId('map-by').click()
    await page.getByTitle('开度', { exact: true }).click()
    await expect.poll(async () => (await countPainted(page)).good).toBe(0)
    expect(errors).toEqual([])
  })

  for (const look of [
    { language: 'zh', locale: 'zh-CN', width: 1440, height: 900, colorScheme: 'light' },
    { language: 'en', locale: 'en-GB', width: 390, height: 844, colorScheme: 'dark' },
  ] as const)
    test.describe(`${look.language} at ${look.width}×${look.height}`, { tag: '@slow' }, () => {
      test.use({
        locale: look.locale,
        viewport: { width: look.width, height: look.height },
        colorScheme: look.colorScheme,
      })

      test('has no serious accessibility violation, with the map, the list, the details and the form', async ({
        page,
        errors,
      }) => {
        await page.goto(MAP)
        await expectDrawn(page)
        expect.soft(await findAccessibilityViolations(page), 'map').toEqual([])
        if (look.width < 992) {
          await page.getByText('List', { exact: true }).click()
          await expect(canvas(page)).toBeHidden()
          expect.soft(await findAccessibilityViolations(page), 'list').toEqual([])
        }
        await lines(page).first().focus()
        await page.keyboard.press('Enter')
        await expect(details(page)).toBeVisible()
        expect.soft(await findAccessibilityViolations(page), 'details').toEqual([])
        await page.getByTestId('map-edit').click()
        await expect(page.getByTestId('map-position-form')).toBeVisible()
        expect.soft(await findAccessibilityViolations(page), 'form').toEqual([])
        expect(errors).toEqual([])
      })
    })
})
