import { z } from 'zod'
import { expect, test } from '../support/test.ts'
import {
  expand,
  failedAnswer,
  openFirstBuilding,
  openTree,
  row,
  TREE_PAGE,
  treeOf,
  twist,
} from '../support/tree.ts'

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
    await page.goto(TREE_PAGE)
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
    await page.route('**/projectInfo/queryProjectList', (route) => route.fulfill(failedAnswer))
    await page.goto(TREE_PAGE)
    const retry = page.locator('.tree-panel').getByRole('button', { name: '重试' })
    await expect(retry).toBeVisible()
    await page.unroute('**/projectInfo/queryProjectList')
    await retry.click()
    await expect(row(page, '城东区域')).toBeVisible()
  })

  test('§8 Group fetch failed: warning 获取分组错误, which goes by itself, and the node asks to be tried again', async ({
    page,
  }) => {
    await page.route('**/dev/getDevGroups', (route) => route.fulfill(failedAnswer))
    await page.goto(TREE_PAGE)
    await expect(page.getByText('获取分组错误')).toBeVisible()
    await expect(page.getByText('获取分组错误')).toBeHidden({ timeout: 3_000 })
    // The node says on: an open one without children would look as if there were none.
    await page.unroute('**/dev/getDevGroups')
    await row(page, '和源热力集团').getByText('加载失败，重试').click()
    await expect(row(page, '和源城区供热公司')).toBeVisible()
    await expect(page.getByText('加载失败，重试')).toHaveCount(0)
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
    await page.route('**/projectInfo/queryProjectList', (route) => route.fulfill(failedAnswer))
    await page.getByTestId('tree-reload').click()
    await expect(page.getByText('获取项目错误')).toBeVisible()
    await page.unroute('**/projectInfo/queryProjectList')
    await page.locator('.tree-panel').getByRole('button', { name: '重试' }).click()
    await expect(page.locator('.tree-panel').getByRole('button', { name: '重试' })).toBeHidden()
    await expect(row(page, '城东区域')).toBeVisible()
  })

  test('§8 Sub-user address fetch failed: warning 取子用户地址错误', async ({ page }) => {
    await page.route('**/CtlDev/GetSubdiv', (route) => route.fulfill(failedAnswer))
    await page.goto(TREE_PAGE)
    await expect(page.getByText('取子用户地址错误')).toBeVisible()
  })

  test('§8 Sub-user fetch failed: warning 取子用户错误, and the area may be opened again', async ({
    page,
  }) => {
    await page.route('**/CtlDev/GetVauser', (route) => route.fulfill(failedAnswer))
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await expect(page.getByText('取子用户错误')).toBeVisible()
    await page.unroute('**/CtlDev/GetVauser')
    await twist(row(page, '东苑小区')).click()
    await twist(row(page, '东苑小区')).click()
    await expect(row(page, '一号楼')).toBeVisible()
  })
})

test.describe('a million rows', () => {
  const users = Array.from({ length: 500 }, (_, user) => ({
    uuid: `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`,
    name: `${user + 1}号楼`,
    puuids: '',
    addrlist: Array.from({ length: 2_000 }, (_, index) => `${100_000 + index}`),
    info: { pids: '', url: '' },
    version: 1,
    abilities: [],
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
