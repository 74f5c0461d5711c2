import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { option } from '../support/option.ts'
import { getProductUrl } from '../support/product-url.ts'
import { enter, expect, fillLogin, test } from '../support/test.ts'
import { box, row } from '../support/tree.ts'
import { expectAccessible, views } from '../support/views.ts'

const FIRST = '东苑换热站的夜班密码'
const OWN = '西苑小区三号楼的白班密码'

/** Texts of each language, among them those of section 8 of the specification. */
const texts = {
  zh: {
    noGateway: '未配置短信网关',
    registered: (account: string) => `${account} 注册成功`,
    role: '运行调度',
    changePassword: '修改密码',
    refused: (account: string) => `${account} 失败原因：账号或密码错误`,
    changed: '修改密码成功',
    menu: '可见菜单',
    page: '阀门实时监测',
    noPage: '系统管理',
    sessions: '登录会话',
    ended: '结束会话成功',
    account: '账号',
    touches: '操作日志保留',
    deleted: (account: string) => `${account} 删除成功`,
    none: '没有符合条件的记录',
  },
  en: {
    noGateway: 'No SMS gateway is configured',
    registered: (account: string) => `${account} registered successfully`,
    role: 'Dispatcher',
    changePassword: 'Change password',
    refused: (account: string) => `${account} failure reason: Wrong account or password`,
    changed: 'Change password success',
    menu: 'Menu',
    page: 'Live valves',
    noPage: 'System',
    sessions: 'Sessions',
    ended: 'End session success',
    account: 'Account',
    touches: 'the operation log stays',
    deleted: (account: string) => `${account} deleted successfully`,
    none: 'No records match',
  },
} as const

/** Shows the tree: on a phone it is a drawer. */
async function showTree(page: Page, isPhone: boolean): Promise<void> {
  if (isPhone) await page.getByTestId('sidebar-toggle').click()
}

interface Person {
  readonly account: string
  readonly password: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly locale: string
}

/** Opens a browser of another person and signs in there. */
async function signInElsewhere(browser: Browser, { account, password, ...screen }: Person): Promise<Page> {
  const context = await browser.newContext({
    baseURL: getProductUrl(),
    ...screen,
  })
  const page = await context.newPage()
  await page.goto('/ewph/fmreal')
  await fillLogin(page, account, password)
  return page
}

for (const view of views) {
  const { screen, language, locale, viewport, hasTouch } = view
  const text = texts[language]
  const isPhone = screen === 'phone'
  test.describe(`${screen}, ${language}`, { tag: view === views[0] ? [] : '@slow' }, () => {
    test.use({ locale, viewport, hasTouch })

    test('an administrator adds a colleague with a role and a node, who sees only these', async ({
      page,
      browser,
    }) => {
      /** No other test and no earlier run has this account. */
      const account = `colleague-${randomUUID().slice(0, 8)}`
      await enter(page, 'administrator', '/users/usersetting')
      await test.step('§8 registers the colleague', async () => {
        if (!isPhone) await box(row(page, '城东区域')).click()
        await page.getByTestId('record-add').click()
        await page.getByTestId('field-account').fill(account)
        await page.getByTestId('field-password').fill(FIRST)
        await page.getByTestId('field-name').fill('王五')
        await expect(page.getByText(text.noGateway)).toBeVisible()
        await page.getByTestId('field-roleIds').click()
        await option(page, text.role).click()
        await page.getByTestId('field-name').click()
        if (isPhone) {
          await page.getByTestId('field-nodes').click()
          await page.keyboard.type('城东区域')
          await option(page, '城东区域').click()
          await page.getByTestId('field-name').click()
          await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
        } else await page.getByTestId('field-nodes-checked').click()
        await expectAccessible(page, view)
        await page.getByTestId('form-save').click()
        await expect(page.getByText(text.registered(account))).toBeVisible()
      })

      const theirs = await signInElsewhere(browser, { account, password: FIRST, viewport, locale })
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
        await theirs.getByRole('menuitem', { name: text.changePassword }).click()
        const change = async (present: string) => {
          await theirs.getByTestId('field-present').fill(present)
          await theirs.getByTestId('field-next').fill(OWN)
          await theirs.getByTestId('field-repeated').fill(OWN)
          await theirs.getByTestId('form-save').click()
        }
        await change('not the password')
        await expect(theirs.getByText(text.refused(account))).toBeVisible()
        await expectAccessible(theirs, view)
        await change(FIRST)
        await expect(theirs.getByText(text.changed)).toBeVisible()
        await theirs.reload()
        await expect(theirs.getByTestId('user-menu')).toBeVisible()
        await expect(theirs).toHaveURL((url) => url.pathname === '/ewph/fmreal')
      })

      await test.step('§8 the administrator ends the session and deletes the colleague', async () => {
        await page.getByTestId('record-search').fill(account)
        await page.locator('button[data-testid^="record-"]', { hasText: account }).click()
        const drawer = page.getByRole('dialog')
        const openPart = async (name: string) => {
          await drawer.getByRole('tab', { name, exact: true }).click()
        }
        await openPart(text.menu)
        await expect(page.getByTestId('menu-preview')).toContainText(text.page)
        await expect(page.getByTestId('menu-preview')).not.toContainText(text.noPage)
        await openPart(text.sessions)
        await expectAccessible(page, view)
        await page.locator('[data-testid^="session-end-"]').click()
        await expect(page.getByText(text.ended)).toBeVisible()
        await theirs.reload()
        await expect(theirs.getByRole('dialog').or(theirs.locator('input[type="password"]'))).toBeVisible()
        await openPart(text.account)
        await page.getByTestId('user-delete').click()
        await expect(page.getByText(text.touches)).toBeVisible()
        await page.locator('.ant-popconfirm-buttons .ant-btn-dangerous').click()
        await expect(page.getByText(text.deleted(account))).toBeVisible()
        await expect(page.getByText(text.none)).toBeVisible()
      })
      await theirs.context().close()
    })
  })
}
