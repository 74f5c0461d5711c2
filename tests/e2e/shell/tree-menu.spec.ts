import { z } from 'zod'
import { goWithin } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'
import { box, expand, openTree, row } from '../support/tree.ts'

test.use({ role: 'administrator' })

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
    await goWithin(page, '/ewph/fmhistory')
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
