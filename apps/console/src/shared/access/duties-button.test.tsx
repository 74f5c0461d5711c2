import { getDuties } from '@isotherm/contract/endpoints/administration/duties'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../testing/fake-api.testkit.ts'
import { renderPart } from '../testing/render-part.testkit.tsx'
import { DutiesButton } from './duties-button.tsx'

test.each([
  [true, '已启用', '任何角色和账号都不能同时拥有其中两类页面'],
  [false, '未启用', '一个角色可以同时管理系统、用户和角色'],
])(
  'separate duties %s: the dialog shows the state, its meaning and the setting that changes it',
  async (areSeparate, state, meaning) => {
    const api = startFakeApi()
    api.answer(getDuties, { areSeparate })
    const { user } = await renderPart(<DutiesButton />, { permissions: ['ps-rolesys'] })
    expect(api.calls(getDuties)).toEqual([])
    await user.click(screen.getByTestId('duties'))
    expect(await screen.findByText(state)).toBeTruthy()
    expect(screen.getByTestId('duties-state').textContent).toContain(meaning)
    expect(screen.getByTestId('duties-state').textContent).toContain('ISOTHERM_SEPARATE_DUTIES')
  },
)
