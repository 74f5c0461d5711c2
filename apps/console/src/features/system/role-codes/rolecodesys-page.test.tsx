import {
  addRoleCode,
  deleteRoleCode,
  editRoleCode,
  getRoleCodes,
  type RoleCode,
} from '@isotherm/contract/endpoints/administration/role-codes'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import RolecodesysPage from './rolecodesys-page.tsx'

const codeOf = (code: number, over: Partial<RoleCode> = {}): RoleCode => ({
  code,
  name: `代码${code}`,
  description: '',
  roleCount: 0,
  version: 3,
  abilities: ['edit', 'delete'],
  ...over,
})

async function openPage(codes: readonly RoleCode[], address = '/sys/rolecodesys') {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getRoleCodes, { datalist: [...codes], total: codes.length })
  const view = await renderPart(<RolecodesysPage />, { permissions: ['ps-rolecodesys'], address })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

const names = () => screen.getAllByTestId(/^record-\d+$/).map(({ textContent }) => textContent)

test('the search looks at code, name and description, and is in the address', async () => {
  const { user, address } = await openPage([codeOf(101), codeOf(200, { description: '维修人员' })])
  await waitFor(() => expect(names()).toEqual(['101', '200']))
  await user.type(screen.getByTestId('record-search'), '维修')
  await waitFor(() => expect(names()).toEqual(['200']))
  expect(decodeURIComponent(address())).toBe('/sys/rolecodesys?q=维修')
})

test('a new code without a name is not sent; the missing field is named', async () => {
  const { api, user } = await openPage([])
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-code'), '300')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('必填')).toBeTruthy()
  expect(api.calls(addRoleCode)).toEqual([])
})

test('a new code is sent, the drawer closes, and the list is loaded again', async () => {
  const { api, user, address } = await openPage([])
  api.answer(addRoleCode, codeOf(300))
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-code'), '300')
  await user.type(screen.getByTestId('field-name'), '抄表员')
  api.answer(getRoleCodes, { datalist: [codeOf(300)], total: 1 })
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(names()).toEqual(['300']))
  expect(api.calls(addRoleCode)).toEqual([{ code: 300, name: '抄表员', description: '' }])
  expect(address()).toBe('/sys/rolecodesys')
  expect(useNotices.getState().notices.map(({ text }) => text)).toEqual(['角色代码 300 已保存'])
})

test('closing the drawer asks before entries are lost', async () => {
  const { user, address } = await openPage([codeOf(101)], '/sys/rolecodesys?open=101')
  await user.type(await screen.findByTestId('field-name'), '新')
  await user.click(screen.getByText('取消'))
  expect(await screen.findByText('有未保存的内容')).toBeTruthy()
  expect(address()).toContain('open=101')
  await user.click(screen.getByText('放弃填写'))
  await waitFor(() => expect(address()).toBe('/sys/rolecodesys'))
})

test('after a change by another user the newest values can be loaded, and the entries stay', async () => {
  const { api, user } = await openPage([codeOf(101)], '/sys/rolecodesys?open=101')
  const name = await screen.findByTestId('field-name')
  await user.clear(name)
  await user.type(name, '我的名称')
  api.refuse(editRoleCode, { code: 'entity.stale', text: '角色代码刚被 li 修改（说明），请重新加载后再试' })
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText(/刚被 li 修改/)).toBeTruthy()
  const newest = codeOf(101, { description: '李的说明', version: 4 })
  api.answer(getRoleCodes, { datalist: [newest], total: 1 })
  api.answer(editRoleCode, newest)
  await user.click(screen.getByTestId('form-reload'))
  await waitFor(() => expect(screen.getByTestId('field-description')).toHaveProperty('value', '李的说明'))
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(api.calls(editRoleCode)).toHaveLength(2))
  expect(api.calls(editRoleCode)[1]).toEqual({
    code: 101,
    version: 4,
    name: '我的名称',
    description: '李的说明',
  })
})

test('selected codes are deleted after a question; failures are named with their reason', async () => {
  const { api, user } = await openPage([codeOf(101), codeOf(200)], '/sys/rolecodesys?pick=101,200')
  api.decide(deleteRoleCode, ({ code }) =>
    code === 101
      ? { data: { deleted: 1 } }
      : { refusal: { code: 'entity.in-use', text: '正在被使用，不能执行此操作：角色' } },
  )
  await user.click(await screen.findByTestId('bulk-delete'))
  expect(await screen.findByText(/删除 2 个角色代码/)).toBeTruthy()
  await user.click(screen.getByTestId('bulk-start'))
  expect(await screen.findByTestId('bulk-close')).toBeTruthy()
  expect(screen.getByTestId('bulk-result').textContent).toBe('已完成 1 / 2 · 失败 1 项')
  expect(screen.getByText(/正在被使用/)).toBeTruthy()
})
