import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { expect, fillLogin, test } from './support/test.ts'
import { openFirstBuilding } from './support/tree.ts'

const PAGE = '/ewph/fmreal'
const treeOf = (page: Page): Locator => page.getByRole('tree')
const row = (page: Page, name: string): Locator =>
  treeOf(page)
    .getByRole('treeitem')
    .filter({ has: page.locator('.tree-label', { hasText: exactly(name) }) })
const exactly = (text: string) => new RegExp(`^${text}$`)
const twist = (of: Locator): Locator => of.locator('[data-part="twist"]')
const box = (of: Locator): Locator => of.locator('[data-part="check"]')
const valveRows = (page: Page): Locator => page.locator('tr[data-testid^="valve-row-"]')

async function openTree(page: Page): Promise<void> {
  await page.goto(PAGE)
  await expect(row(page, '城东区域')).toBeVisible()
}

/** Expands rows by name, one below the other. */
async function expand(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const each = row(page, name).first()
    if ((await each.getAttribute('aria-expanded')) !== 'true') await twist(each).click()
    await expect(each).toHaveAttribute('aria-expanded', 'true')
  }
}

const fail = { status: 500, json: { status: '500', message: 'failed', code: 'server.internal', params: {} } }

test.use({ role: 'administrator' })

test.describe('loading', () => {
  test('§2 Layout: a search input (placeholder 输入关键字) and a loading text 正在努力加载.....', async ({
    page,
  }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/projectInfo/queryProjectList', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(PAGE)
    await expect(page.getByPlaceholder('输入关键字')).toBeVisible()
    await expect(page.getByText('正在努力加载.....')).toBeVisible()
    release()
    await expect(row(page, '城东区域')).toBeVisible()
    await expect(page.getByText('正在努力加载.....')).toBeHidden()
  })

  test('§3 Tree levels: each row names its level, from the platform down to the household', async ({
    page,
  }) => {
    await openTree(page)
    await openFirstBuilding(page)
    await expand(page, '一号楼', '1单元')
    const levels = ['平台', '集团', '公司', '区域', '换热站', '小区', '楼号', '单元', '户号']
    for (const [level, name] of levels.entries()) {
      const first = treeOf(page)
        .locator(`[aria-level="${level + 1}"]`)
        .first()
      await expect(first.locator('.tree-level')).toHaveText(name)
    }
  })

  test('§4 Tree: level 2 loads the sub-user and address lists once', async ({ page }) => {
    let calls = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/CtlDev/GetVauser')) calls += 1
    })
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区', '文化路换热站', '文化里小区')
    await expect(row(page, '测试用户')).toHaveCount(2)
    expect(calls).toBe(1)
  })

  test('§9 Expanded-off delay: about 1 s after a level-2 load, subdivisions of type s are collapsed', async ({
    page,
  }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const sid = z.object({ data: z.object({ datalist: z.array(z.object({ sid: z.string() })) }) })
    let collapsed = ''
    await page.route('**/CtlDev/GetSubdiv', async (route) => {
      const response = await route.fetch()
      collapsed = sid.parse(await response.json()).data.datalist[0]?.sid ?? ''
      await held
      await route.fulfill({ response })
    })
    await openTree(page)
    await expand(page, '城西区域')
    await expect.poll(() => collapsed).not.toBe('')
    const station = page.getByTestId(`tree-node-${collapsed}`)
    await twist(station).click()
    await expect(station).toHaveAttribute('aria-expanded', 'true')
    const released = Date.now()
    release()
    await expect(station).toHaveAttribute('aria-expanded', 'false')
    expect(Date.now() - released).toBeGreaterThan(900)
  })

  test('§8 Project fetch failed: the tree load aborts, and may be tried again', async ({ page }) => {
    await page.route('**/projectInfo/queryProjectList', (route) => route.fulfill(fail))
    await page.goto(PAGE)
    const retry = page.locator('.tree-panel').getByRole('button', { name: '重试' })
    await expect(retry).toBeVisible()
    await page.unroute('**/projectInfo/queryProjectList')
    await retry.click()
    await expect(row(page, '城东区域')).toBeVisible()
  })

  test('§8 Group fetch failed: warning 获取分组错误, which goes by itself', async ({ page }) => {
    await page.route('**/dev/getDevGroups', (route) => route.fulfill(fail))
    await page.goto(PAGE)
    await expect(page.getByText('获取分组错误')).toBeVisible()
    await expect(page.getByText('获取分组错误')).toBeHidden({ timeout: 3_000 })
  })

  test('§4 Tree: a refresh flag reloads the current node, or its parent when the parent-update flag is set', async ({
    page,
  }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/dev/getDevGroups')) asked.push(request.postData() ?? '')
    })
    const keyOf = async (name: string) =>
      (await row(page, name).getAttribute('data-testid'))?.replace('tree-node-', '')
    await row(page, '东苑换热站').click()
    await page.getByTestId('tree-reload').click()
    await expect.poll(() => asked.length).toBe(1)
    expect(asked[0]).toContain(`"id":${await keyOf('东苑换热站')}`)
    await row(page, '东苑换热站').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '重新加载上级' }).click()
    await expect.poll(() => asked.length).toBe(2)
    expect(asked[1]).toContain(`"id":${await keyOf('城东区域')}`)
    await expect(row(page, '东苑小区')).toBeVisible()
  })

  test('projects that cannot be loaded again are said to be so, and may be tried again', async ({ page }) => {
    await openTree(page)
    await page.route('**/projectInfo/queryProjectList', (route) => route.fulfill(fail))
    await page.getByTestId('tree-reload').click()
    await expect(page.getByText('获取项目错误')).toBeVisible()
    await page.unroute('**/projectInfo/queryProjectList')
    await page.locator('.tree-panel').getByRole('button', { name: '重试' }).click()
    await expect(page.locator('.tree-panel').getByRole('button', { name: '重试' })).toBeHidden()
    await expect(row(page, '城东区域')).toBeVisible()
  })

  test('§8 Sub-user address fetch failed: warning 取子用户地址错误', async ({ page }) => {
    await page.route('**/CtlDev/GetSubdiv', (route) => route.fulfill(fail))
    await page.goto(PAGE)
    await expect(page.getByText('取子用户地址错误')).toBeVisible()
  })

  test('§8 Sub-user fetch failed: warning 取子用户错误, and the area may be opened again', async ({
    page,
  }) => {
    await page.route('**/CtlDev/GetVauser', (route) => route.fulfill(fail))
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await expect(page.getByText('取子用户错误')).toBeVisible()
    await page.unroute('**/CtlDev/GetVauser')
    await twist(row(page, '东苑小区')).click()
    await twist(row(page, '东苑小区')).click()
    await expect(row(page, '一号楼')).toBeVisible()
  })
})

test.describe('checks', () => {
  test('§4 Tree: checking a node also checks all its ancestors and all its descendants; unchecking its descendants', async ({
    page,
  }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区', '一号楼')
    await box(row(page, '一号楼')).click()
    for (const name of ['一号楼', '1单元', '3单元']) {
      await expect(row(page, name).first()).toHaveAttribute('aria-checked', 'true')
    }
    for (const name of ['二网监控平台', '和源热力集团', '城东区域', '东苑小区']) {
      await expect(row(page, name)).toHaveAttribute('aria-checked', 'mixed')
    }
    await expect(row(page, '二号楼').first()).toHaveAttribute('aria-checked', 'false')
    await box(row(page, '一号楼')).click()
    await expect(row(page, '1单元').first()).toHaveAttribute('aria-checked', 'false')
    await expect(row(page, '东苑小区')).toHaveAttribute('aria-checked', 'mixed')
  })

  test('§4 Tree: about 0.4 s after a check change the checked nodes are published: pages show them', async ({
    page,
  }) => {
    await openTree(page)
    await expect(valveRows(page).nth(5)).toBeVisible()
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await box(row(page, '一号楼')).click()
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await box(row(page, '二号楼').first()).click()
    await expect.poll(() => valveRows(page).count()).toBe(6)
  })

  test('§4 Tree: clicking a node makes it current', async ({ page }) => {
    await openTree(page)
    const building = await openFirstBuilding(page)
    expect(building).toContain('楼')
    await expect(treeOf(page).locator('[aria-selected="true"]')).toHaveCount(1)
    await expect.poll(() => valveRows(page).count()).toBe(3)
  })

  test('§4 Tree: children of a checked parent are checked and expanded', async ({ page }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站')
    await box(row(page, '东苑小区')).click()
    await twist(row(page, '东苑小区')).click()
    await expect(row(page, '1单元').first()).toHaveAttribute('aria-checked', 'true')
    await expect(row(page, '一号楼')).toHaveAttribute('aria-expanded', 'true')
  })

  test('§4 Tree: checked and expanded nodes are restored after a reload, and nobody else sees them', async ({
    page,
  }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await box(row(page, '一号楼')).click()
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await page.reload()
    await expect(row(page, '一号楼')).toHaveAttribute('aria-checked', 'true')
    await expect(row(page, '东苑小区')).toHaveAttribute('aria-expanded', 'true')
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await expect(row(page, '十二号楼')).toBeVisible()

    await page.evaluate('localStorage.clear()')
    await page.goto('/login')
    await fillLogin(page, 'dispatcher')
    await expect(page).toHaveURL(/\/dashboard$/)
    await openTree(page)
    await expect(row(page, '城东区域')).toHaveAttribute('aria-checked', 'false')
    await expect(row(page, '一号楼')).toHaveCount(0)
  })
})

/** Sends what the server would send over the live connection of the page. */
async function hearLive(page: Page): Promise<(message: object) => void> {
  let say: (message: string) => void = () => {}
  await page.routeWebSocket(/\/live$/, (socket) => {
    socket.connectToServer()
    say = (message) => socket.send(message)
  })
  return (message) => say(JSON.stringify(message))
}

test.describe('what was selected is gone', () => {
  /** Takes one sub-user out of every list the server gives from now on. */
  async function removeUser(page: Page, name: string): Promise<void> {
    const users = z.object({ data: z.object({ datalist: z.array(z.looseObject({ name: z.string() })) }) })
    await page.route('**/CtlDev/GetVauser', async (route) => {
      const response = await route.fetch()
      const { data } = users.parse(await response.json())
      const datalist = data.datalist.filter((user) => user.name !== name)
      await route.fulfill({
        json: { message: 'success', status: '200', data: { datalist, total: datalist.length } },
      })
    })
  }

  for (const [way, select] of [
    ['checked', box],
    ['current', (of: Locator) => of],
  ] as const) {
    test(`when the only ${way} node leaves, pages show nothing and say so, until all is asked for`, async ({
      page,
    }) => {
      const say = await hearLive(page)
      await openTree(page)
      await expand(page, '城东区域', '东苑换热站', '东苑小区')
      await select(row(page, '一号楼')).click()
      await expect.poll(() => valveRows(page).count()).toBe(3)
      const area = await row(page, '东苑小区').getAttribute('data-testid')
      await removeUser(page, '一号楼')
      say({ type: 'structure', parents: [area?.replace('tree-node-', '')] })
      await expect(page.getByTestId('selection-gone')).toBeVisible()
      await expect(page.getByTestId('tree-selection')).toHaveText('所选节点已不存在')
      await expect(valveRows(page)).toHaveCount(0)
      await page.getByRole('button', { name: '显示全部' }).click()
      await expect(valveRows(page).nth(5)).toBeVisible()
    })
  }

  test('a checked node that left while the page was reloaded is not selected afterwards', async ({
    page,
  }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await box(row(page, '一号楼')).click()
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await twist(row(page, '城东区域')).click()
    await expect.poll(() => page.evaluate('Object.values(sessionStorage).join()')).toContain('一号楼')
    await removeUser(page, '一号楼')
    await page.reload()
    await expect(page.getByTestId('selection-gone')).toBeVisible()
    await expect(row(page, '东苑换热站')).toHaveCount(0)
  })
})

test.describe('keyboard', () => {
  const focused = (page: Page) =>
    page.evaluate(
      'document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.querySelector(".tree-label")?.textContent',
    )

  test('the tree is one tab stop with the keys of the ARIA tree pattern', async ({ page }) => {
    await openTree(page)
    await treeOf(page).focus()
    expect(await focused(page)).toBe('二网监控平台')
    await page.keyboard.press('End')
    expect(await focused(page)).toBe('城西区域')
    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).toBe('和源城区供热公司')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect(row(page, '城东区域')).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('东苑换热站')
    await page.keyboard.press('*')
    await expect(row(page, '文化路换热站')).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('Space')
    await expect(row(page, '东苑换热站')).toHaveAttribute('aria-checked', 'true')
    await page.keyboard.press('Enter')
    await expect(row(page, '东苑换热站')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Home')
    expect(await focused(page)).toBe('二网监控平台')
    await expect(row(page, '文化路换热站')).toHaveAttribute('aria-setsize', '2')
    await expect(row(page, '文化路换热站')).toHaveAttribute('aria-posinset', '2')
    await expect(row(page, '文化路换热站')).toHaveAttribute('aria-level', '5')
  })

  test('a click leaves the focus with the tree: keys go on after the row was scrolled away', async ({
    page,
  }) => {
    await openTree(page)
    await row(page, '城东区域').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '展开全部下级' }).click()
    await expect(row(page, '101').first()).toBeVisible()
    await row(page, '东苑换热站').locator('.tree-label').click()
    await expect(treeOf(page)).toBeFocused()
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('PageDown')
    await expect(row(page, '东苑换热站')).toHaveCount(0)
    await expect(treeOf(page)).toBeFocused()
    await page.keyboard.press('Home')
    expect(await focused(page)).toBe('二网监控平台')
  })

  test('a revealed row takes the focus once, not whenever the list is shown anew', async ({ page }) => {
    await openTree(page)
    await page.getByTestId('tree-search').fill('5-2-301')
    await page.locator('.tree-hit').first().click()
    await expect(treeOf(page)).toBeFocused()
    await page.getByTestId('tree-search').click()
    await page.keyboard.type('zzz')
    await expect(treeOf(page)).toHaveCount(0)
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Backspace')
    await expect(treeOf(page)).toBeVisible()
    await expect(page.getByTestId('tree-search')).toBeFocused()
  })

  test('Shift+F10 opens the menu of the row, Escape gives the focus back', async ({ page }) => {
    await openTree(page)
    await treeOf(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+F10')
    const menu = page.getByRole('menu').filter({ hasText: '仅勾选此节点' })
    await expect(menu).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(treeOf(page)).toBeFocused()
  })
})

test.describe('context menu', () => {
  test('offers the pages for a node: the node becomes the only selection and the page opens', async ({
    page,
  }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await box(row(page, '城西区域')).click()
    await row(page, '一号楼').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '历史' }).click()
    await expect(page).toHaveURL(/\/ewph\/fmhistory/)
    await expect(page.getByTestId('tree-selection')).toHaveText('一号楼')
    await expect(row(page, '城西区域')).toHaveAttribute('aria-checked', 'false')
  })

  test('a page opens as its tab was left', async ({ page }) => {
    await page.goto('/ewph/fmreal?sort=serial')
    await expect(row(page, '城东区域')).toBeVisible()
    const left = page.url()
    await page.goto('/ewph/fmhistory')
    await row(page, '城东区域').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '实时' }).click()
    await expect(page).toHaveURL(left)
  })

  test('all fields of a node can be copied', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openTree(page)
    await row(page, '城东区域').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '复制节点信息' }).click()
    await expect(page.getByText('已复制')).toBeVisible()
    const fields = z.record(z.string(), z.unknown())
    const copied = fields.parse(
      JSON.parse(z.string().parse(await page.evaluate('navigator.clipboard.readText()'))),
    )
    expect(copied).toMatchObject({ label: '城东区域', level: 3, dec: 'area', nodetype: 'group' })
  })

  test('checks only this, unchecks all, expands and collapses all below', async ({ page }) => {
    await openTree(page)
    await box(row(page, '城西区域')).click()
    const choose = async (name: string, item: string) => {
      await row(page, name).click({ button: 'right' })
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('城东区域', '仅勾选此节点')
    await expect(row(page, '城西区域')).toHaveAttribute('aria-checked', 'false')
    await expect(row(page, '城东区域')).toHaveAttribute('aria-checked', 'true')
    await choose('城东区域', '取消全部勾选')
    await expect(row(page, '二网监控平台')).toHaveAttribute('aria-checked', 'false')
    await choose('城东区域', '展开全部下级')
    await expect(row(page, '101').first()).toBeVisible()
    await choose('城东区域', '收起全部下级')
    await expect(row(page, '东苑换热站')).toHaveCount(0)
  })
})

test.describe('search', () => {
  test('filters the loaded nodes at once', async ({ page }) => {
    await openTree(page)
    await page.getByTestId('tree-search').fill('城西')
    await expect(row(page, '城西区域')).toBeVisible()
    await expect(row(page, '城东区域')).toHaveCount(0)
    await expect(row(page, '城西区域').locator('mark')).toHaveText('城西')
    await page.getByTestId('tree-search').fill('')
    await expect(row(page, '城东区域')).toBeVisible()
  })

  test('finds in the whole company and reveals the hit with its ancestors, without loading the rest', async ({
    page,
  }) => {
    await openTree(page)
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.getByTestId('tree-search').fill('5-2-301')
    const hits = page.locator('.tree-hit')
    await expect(hits.nth(1)).toBeVisible()
    await expect(hits.nth(1)).toContainText('地址')
    await page.getByTestId('tree-search').press('ArrowDown')
    await page.keyboard.press('Enter')
    const household = treeOf(page).locator('[aria-selected="true"]')
    await expect(household.locator('.tree-label')).toHaveText('301')
    await expect(household).toBeInViewport()
    await expect(treeOf(page)).toBeFocused()
    await expect(page.getByTestId('tree-search')).toHaveValue('')
    expect(calls.filter((path) => /getDevGroups|queryProjectList/.test(path))).toEqual([])
    const rest = page.locator('[data-part="rest"]')
    await expect(rest).toHaveCount(1)
    await rest.click()
    await expect(rest).toHaveCount(0)
    await expect(household).toHaveAttribute('aria-selected', 'true')
    await expect(row(page, '测试用户')).toBeVisible()
  })

  test('pinyin initials find too', async ({ page }) => {
    await openTree(page)
    await page.getByTestId('tree-search').fill('dyxq')
    await expect(page.locator('.tree-hit').first()).toContainText('东苑小区')
    await expect(page.locator('.tree-hit').first()).toContainText('拼音')
  })
})

test('each row in view has a health dot with its count, in words too', async ({ page }) => {
  await openTree(page)
  const root = row(page, '二网监控平台')
  await expect(root.locator('.tree-count')).toHaveText(/^\d+$/)
  await expect(root.getByTestId('tree-dot')).toHaveText(/台设备/)
})

test('a structure change by others appears by itself, and checks, expansion and focus stay', async ({
  page,
}) => {
  const say = await hearLive(page)
  await openTree(page)
  await expand(page, '城东区域', '东苑换热站')
  await box(row(page, '文化路换热站')).click()
  const asked: string[] = []
  await page.route('**/dev/getDevGroups', async (route) => {
    asked.push(route.request().postData() ?? '')
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('东苑小区', '东苑新区') })
  })
  const station = await row(page, '东苑换热站').getAttribute('data-testid')
  const key = station?.replace('tree-node-', '')
  say({ type: 'structure', parents: [key] })
  await expect(row(page, '东苑新区')).toBeVisible()
  await expect(row(page, '文化路换热站')).toHaveAttribute('aria-checked', 'true')
  await expect(row(page, '东苑换热站')).toHaveAttribute('aria-expanded', 'true')
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain(`"id":${key}`)
})

test.describe('a million rows', () => {
  const users = Array.from({ length: 500 }, (_, user) => ({
    uuid: `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`,
    name: `${user + 1}号楼`,
    puuids: '',
    addrlist: Array.from({ length: 2_000 }, (_, index) => `${100_000 + index}`),
    info: { pids: '', url: '' },
  }))

  test('scroll to the last one and by the wheel to the next', async ({ page }) => {
    test.setTimeout(180_000)
    const pids = z.object({ filter: z.array(z.object({ vrex: z.string().optional() })) })
    await page.route('**/CtlDev/GetVauser', async (route) => {
      const chain = pids.parse(route.request().postDataJSON()).filter[0]?.vrex?.replace(/^\^|\(,\|\$\)$/g, '')
      const datalist = users.map((user) => ({ ...user, info: { pids: `${chain},3,7,8`, url: '' } }))
      await route.fulfill({ json: { message: 'success', status: '200', data: { datalist, total: 500 } } })
    })
    await openTree(page)
    await row(page, '城东区域').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '展开全部下级' }).click()
    await expect(row(page, '100000').first()).toBeVisible({ timeout: 90_000 })
    await treeOf(page).focus()
    await page.keyboard.press('End')
    await expect(treeOf(page).getByRole('treeitem').last()).toBeInViewport()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Home')
    await expect(row(page, '二网监控平台')).toBeInViewport()
    await treeOf(page).hover()
    await page.mouse.wheel(0, 280)
    await expect(row(page, '二网监控平台')).not.toBeInViewport()
    await expect(row(page, '100003').first()).toBeInViewport()
  })
})

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const axeResult = z.object({
  violations: z.array(z.object({ id: z.string(), impact: z.string().nullable(), help: z.string() })),
})

for (const locale of ['zh-CN', 'en-GB'] as const) {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test.describe(`${locale}, ${viewport.width}×${viewport.height}`, () => {
      const isPhone = viewport.width < 992
      test.use({ locale, viewport, hasTouch: isPhone })

      test('the tree opens, finds and shows its menu without a barrier or a word in the console', async ({
        page,
        errors,
      }) => {
        await page.goto(PAGE)
        if (isPhone) await page.getByTestId('sidebar-toggle').click()
        await expect(row(page, '城东区域')).toBeVisible()
        await expand(page, '城东区域', '东苑换热站', '东苑小区')
        await box(row(page, '一号楼')).click()
        await page.getByTestId('tree-search').fill('5-2-301')
        await expect(page.locator('.tree-hit').first()).toBeVisible()
        await page.locator('.tree-hit').first().click()
        await expect(treeOf(page).locator('[aria-selected="true"]')).toBeInViewport()
        await page.evaluate(axeSource)
        const { violations } = axeResult.parse(await page.evaluate('axe.run(".tree-panel")'))
        expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
        expect(errors).toEqual([])
      })

      test('counts stand in one column at the right, and the button of the menu is whole', async ({
        page,
      }) => {
        await page.goto(PAGE)
        if (isPhone) await page.getByTestId('sidebar-toggle').click()
        await expand(page, '城东区域', '东苑换热站', '东苑小区')
        await expect(treeOf(page).locator('.tree-count').nth(5)).toBeVisible()
        const rights = await treeOf(page)
          .locator('.tree-row:not(:hover) .tree-count')
          .evaluateAll((counts) => counts.map((count) => Math.round(count.getBoundingClientRect().right)))
        expect(new Set(rights).size).toBe(1)
        if (isPhone) return
        await row(page, '东苑小区').hover()
        const more = row(page, '东苑小区').locator('.tree-more')
        await expect(more).toBeInViewport({ ratio: 1 })
        expect((await more.boundingBox())?.width).toBe(22)
      })

      test('nothing in a row stands over something else', async ({ page }) => {
        await page.goto(PAGE)
        if (isPhone) await page.getByTestId('sidebar-toggle').click()
        await expand(page, '城东区域', '东苑换热站', '东苑小区', '一号楼', '1单元')
        const overlaps = await treeOf(page).evaluate(
          (tree) =>
            [...tree.querySelectorAll('[role="treeitem"]')].filter((item) => {
              const parts = [...item.children]
                .map((part) => part.getBoundingClientRect())
                .filter(({ width }) => width > 0)
              return parts.some(
                (part, index) => index > 0 && part.left < (parts[index - 1]?.right ?? 0) - 0.5,
              )
            }).length,
        )
        expect(overlaps).toBe(0)
      })

      if (isPhone) {
        test('a long press opens the menu of a node', async ({ page }) => {
          await page.goto(PAGE)
          await page.getByTestId('sidebar-toggle').click()
          const area = row(page, '城东区域')
          await expect(area).toBeVisible()
          await area.dispatchEvent('pointerdown', {
            pointerType: 'touch',
            clientX: 120,
            clientY: 300,
            bubbles: true,
          })
          await expect(page.getByRole('menu').filter({ hasText: /仅勾选|Check only/ })).toBeInViewport()
        })
      }
    })
  }
}
