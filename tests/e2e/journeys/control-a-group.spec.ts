import { randomUUID } from 'node:crypto'
import { option } from '../support/option.ts'
import { actOnOnly, listTexts, record } from '../support/records.ts'
import { enter, expect, test } from '../support/test.ts'
import { expectAccessible, views } from '../support/views.ts'

/** Two valves of 五号楼 in 东苑小区, which no other test moves. */
const SERIALS = '11110000201701\n11110000201703'
/** Commands to the valves of one building, in the time of the twin, which runs faster than the clock. */
const STROKES_MS = 90_000

const texts = {
  zh: {
    ...listTexts.zh,
    bySerials: '按编号文件',
    members: '成员 2 台，其中在用阀门 2 台',
    saved: (name: string) => `分组“${name}”已保存`,
    picked: (name: string) => `${name}（在用阀门 2 台）`,
  },
  en: {
    ...listTexts.en,
    bySerials: 'By list of serials',
    members: 'Members: 2, valves in use: 2',
    saved: (name: string) => `Group "${name}" saved`,
    picked: (name: string) => `${name} (valves in use: 2)`,
  },
} as const

for (const [index, view] of views.entries()) {
  const { screen, language, locale, viewport, hasTouch } = view
  /** Each view sets another one. The strokes are short. */
  const opening = String(44 + index)
  const text = texts[language]
  /** A name that no earlier run and no retry has left. */
  const name = `两处入口阀 ${randomUUID().slice(0, 8)}`
  test.describe(`${screen}, ${language}`, { tag: '@slow' }, () => {
    test.use({ locale, viewport, hasTouch })

    test('an administrator groups valves of two units by their serials, and sets them together', async ({
      page,
    }) => {
      test.setTimeout(180_000)
      await enter(page, 'administrator', '/group/groupmanage')
      await page.getByTestId('record-add').click()
      await page.getByTestId('field-name').fill(name)
      await page.getByText(text.bySerials).click()
      await page.getByTestId('member-serials').fill(`${SERIALS}\nno-such-valve`)
      await page.getByTestId('member-add-serials').click()
      await expect(page.getByTestId('serials-unknown')).toContainText('no-such-valve')
      await expect(page.getByTestId('member-count')).toHaveText(text.members)
      await expectAccessible(page, view)
      await page.getByTestId('form-save').click()
      await expect(page.getByText(text.saved(name))).toBeVisible()
      await record(page, name).click()
      await expect(page.getByTestId('group-control')).toBeVisible()

      await page.goto('/group/groupctl')
      await page.getByTestId('group-picker').click()
      await option(page, text.picked(name)).click()
      await page.getByTestId('opening-input').fill(opening)
      await page.getByTestId('reason-input').fill(`browser test: a group, ${screen}, ${language}`)
      await expectAccessible(page, view)
      await page.getByTestId('confirm-command').click()
      await expect(page.getByTestId('batch-settled')).toContainText('100%', { timeout: STROKES_MS })
      await expect(page.getByTestId('batch-group-confirmed').locator('strong')).toHaveText('2')
      await expect(page.getByText(`browser test: a group, ${screen}, ${language}`).first()).toBeVisible()

      await page.goto(`/group/groupmanage?q=${encodeURIComponent(name)}`)
      await actOnOnly(page, text, 'delete')
      await expect(record(page, name)).toHaveCount(0)
    })
  })
}
