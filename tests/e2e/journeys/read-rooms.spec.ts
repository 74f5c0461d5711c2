import { expect, test } from '../support/test.ts'

test.describe('the service desk', () => {
  test.use({ role: 'service' })

  test('finds the coldest room, sees why it is cold, its place in the building and its curve', async ({
    page,
  }) => {
    await page.goto('/rtjc/rtreal')
    const first = page
      .getByTestId('record-table')
      .locator('[data-testid^="record-row-"], .ant-table-row')
      .first()
    await expect(page.getByTestId('room-pass-share')).toContainText('达标')
    await expect(first).toContainText('单元')

    await test.step('opens the room with what to do about it', async () => {
      await first.click()
      await expect(page.getByTestId('room-drawer')).toContainText('室温')
      await expect(page.getByRole('region', { name: '原因与处理' })).toBeVisible()
    })

    await test.step('sees the curve of the room', async () => {
      await page.getByTestId('room-drawer').getByRole('link', { name: '历史曲线' }).click()
      await expect(page).toHaveURL(/\/rtjc\/rthistory\?devices=\d+/)
      await expect(page.getByTestId('history-chart')).toBeVisible()
      await expect(page.getByRole('list', { name: '曲线' }).getByRole('button')).toHaveText(/室温/)
    })

    await test.step('sees the rooms of the buildings by floor', async () => {
      await page.goto('/rtjc/rtreal?view=map')
      await expect(page.getByTestId('room-map').locator('[data-testid^="cell-"]').first()).toBeVisible()
    })
  })

  test('records a complaint about a room and the measurement with both readings', async ({ page }) => {
    const resident = `王${Date.now()}`
    await page.goto('/rtjc/rtalarm?section=rooms&state=ok')
    await expect(page).toHaveTitle(/室温控制管理/)

    await test.step('from the room', async () => {
      await page.getByTestId('record-table').locator('[data-testid^="record-"]').first().click()
      await page.getByTestId('add-complaint').click()
      await page.getByTestId('complaint-resident').fill(resident)
      await page.getByTestId('complaint-complaint').fill('客厅冷')
      await page.getByTestId('save-complaint').click()
      await expect(page.getByTestId('add-complaint')).toBeVisible()
    })

    await test.step('and the result of the visit, after which the clock stops', async () => {
      await page.goto(`/rtjc/rtalarm?section=visits&q=${resident}`)
      const row = page.getByTestId('record-table')
      await expect(row).toContainText('剩余')
      await row.locator('[data-testid^="record-"]').first().click()
      await page.getByTestId('visit-measured').fill('17.5')
      await page.getByLabel('门窗关闭 30 分钟以上').check()
      await page.getByTestId('visit-inspector').fill('李工')
      await page.getByTestId('save-visit').click()
      await expect(row).toContainText('按时测温')
      await expect(row).toContainText('17.5')
    })
  })
})
