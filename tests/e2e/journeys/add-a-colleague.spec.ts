import type { Browser, Page } from '@playwright/test'
import { findAccessibilityViolations } from '../support/axe.ts'
import { getProductUrl } from '../support/product-url.ts'
import { enter, expect, fillLogin, test } from '../support/test.ts'
import { box, row } from '../support/tree.ts'

const FIRST = '东苑换热站的夜班密码'
const OWN = '西苑小区三号楼的白班密码'

/** Options of an opened list of choices; antd also has a hidden list for screen readers. */
const option = (page: Page, name: string) =>
  page.locator('.ant-select-item-option').filter({ hasText: name }).filter({ visible: true }).first()

/** Shows the tree: on a phone it is a drawer. */
async function showTree(page: Page, isPhone: boolean): Promise<void> {
  if (isPhone) await page.getByTestId('sidebar-toggle').click()
}

/** Opens a browser of another person and signs in there. */
async function signInElsewhere(
  browser: Browser,
  { account, password, width, height }: { account: string; password: string; width: number; height: number },
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: getProductUrl(),
    viewport: { width, height },
    locale: 'zh-CN',
  })
  const page = await context.newPage()
  await page.goto('/ewph/fmreal')
  await fillLogin(page, account, password)
  return page
}

for (const [screen, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test.describe(screen, () => {
    const isPhone = screen === 'phone'
    const account = `colleague-${screen}-${Date.now()}`
    test.use({ viewport, hasTouch: isPhone })

    test('an administrator adds a colleague with a role and a node, who sees only these', async ({
      page,
      browser,
    }) => {
      await enter(page, 'administrator', '/users/usersetting')
      await test.step('§8 registers the colleague', async () => {
        if (!isPhone) await box(row(page, '城东区域')).click()
        await page.getByTestId('record-add').click()
        await page.getByTestId('field-account').fill(account)
        await page.getByTestId('field-password').fill(FIRST)
        await page.getByTestId('field-name').fill('王五')
        await expect(page.getByText('未配置短信网关')).toBeVisible()
        await page.getByTestId('field-roleIds').click()
        await option(page, '运行调度').click()
        await page.getByTestId('field-name').click()
        if (isPhone) {
          await page.getByTestId('field-nodes').click()
          await page.keyboard.type('城东区域')
          await option(page, '城东区域').click()
          await page.getByTestId('field-name').click()
          await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
        } else await page.getByTestId('field-nodes-checked').click()
        expect(await findAccessibilityViolations(page)).toEqual([])
        await page.getByTestId('form-save').click()
        await expect(page.getByText(`${account} 注册成功`)).toBeVisible()
      })

      const theirs = await signInElsewhere(browser, { account, password: FIRST, ...viewport })
      await test.step('the colleague sees the granted node and the pages of the role', async () => {
        await expect(theirs).toHaveURL((url) => url.pathname === '/ewph/fmreal')
        await showTree(theirs, isPhone)
        await expect(row(theirs, '城东区域')).toBeVisible()
        await expect(row(theirs, '城西区域')).toHaveCount(0)
        await theirs.goto('/sys/rolesys')
        await expect(theirs).toHaveURL(/\/404$/)
      })

      await test.step('§8 the colleague changes the password, and stays signed in', async () => {
        await theirs.goto('/ewph/fmreal')
        await theirs.getByTestId('user-menu').click()
        await theirs.getByRole('menuitem', { name: '修改密码' }).click()
        const change = async (present: string) => {
          await theirs.getByTestId('field-present').fill(present)
          await theirs.getByTestId('field-next').fill(OWN)
          await theirs.getByTestId('field-repeated').fill(OWN)
          await theirs.getByTestId('form-save').click()
        }
        await change('not the password')
        await expect(theirs.getByText(`${account} 失败原因：账号或密码错误`)).toBeVisible()
        expect(await findAccessibilityViolations(theirs)).toEqual([])
        await change(FIRST)
        await expect(theirs.getByText('修改密码成功')).toBeVisible()
        await theirs.reload()
        await expect(theirs.getByTestId('user-menu')).toBeVisible()
        await expect(theirs).toHaveURL((url) => url.pathname === '/ewph/fmreal')
      })

      await test.step('§8 the administrator ends the session and deletes the colleague', async () => {
        await page.getByTestId('record-search').fill(account)
        await page.locator('button[data-testid^="record-"]', { hasText: account }).click()
        const drawer = page.getByRole('dialog')
        const openPart = async (name: string) => {
          const part = drawer.getByRole('tab', { name, exact: true })
          if (isPhone) await part.dispatchEvent('click')
          else await part.click()
        }
        await openPart('可见菜单')
        await expect(page.getByTestId('menu-preview')).toContainText('阀门实时监测')
        await expect(page.getByTestId('menu-preview')).not.toContainText('系统管理')
        await openPart('登录会话')
        expect(await findAccessibilityViolations(page)).toEqual([])
        await page.locator('[data-testid^="session-end-"]').click()
        await expect(page.getByText('结束会话成功')).toBeVisible()
        await theirs.reload()
        await expect(theirs.getByRole('dialog').or(theirs.locator('input[type="password"]'))).toBeVisible()
        await openPart('账号')
        await page.getByTestId('user-delete').click()
        await expect(page.getByText('操作日志保留')).toBeVisible()
        await page.locator('.ant-popconfirm-buttons .ant-btn-dangerous').click()
        await expect(page.getByText(`${account} 删除成功`)).toBeVisible()
        await expect(page.getByText('没有符合条件的记录')).toBeVisible()
      })
      await theirs.context().close()
    })
  })
}
