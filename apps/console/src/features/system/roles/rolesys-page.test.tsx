import { getAllModulesP, type ManagedModule } from '@isotherm/contract/endpoints/administration/modules'
import { getRoleCodes } from '@isotherm/contract/endpoints/administration/role-codes'
import {
  addRole,
  deleteRole,
  editRoleModule,
  getAllRolesP,
  type Role,
} from '@isotherm/contract/endpoints/administration/roles'
import { getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type ConsoleMenu, ConsoleMenuContext } from '../../../shared/access/console-menu.ts'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import RolesysPage from './rolesys-page.tsx'

const moduleOf = (id: number, parentId: number | null, url: string, name: string): ManagedModule => ({
  id,
  parentId,
  url,
  name,
  icon: '',
  sort: id,
  enabled: true,
  builtIn: true,
  version: 1,
  abilities: [],
})
const modules = [
  moduleOf(1, null, 'prtjc', '室内温度'),
  moduleOf(2, 1, 'pr-rtreal', '实时室温'),
  moduleOf(3, 1, 'pr-rthistory', '历史室温'),
  moduleOf(4, null, 'psys', '系统管理'),
  moduleOf(5, 4, 'ps-rolesys', '角色管理'),
]

const roleOf = (id: number, name: string, over: Partial<Role> = {}): Role => ({
  id,
  name,
  code: 101,
  codeName: '调度',
  description: '',
  companyId: null,
  companyName: null,
  builtIn: false,
  needsSecondFactor: false,
  moduleIds: [1, 2],
  urls: ['prtjc', 'pr-rtreal'],
  accountCount: 0,
  version: 6,
  abilities: ['edit', 'delete', 'give'],
  ...over,
})

/** Names every module, and shows those that have a name. */
const menu: ConsoleMenu = {
  findName: ({ name }) => name,
  listPages: () => [],
  preview: (shown) => shown.map(({ url, name }) => ({ key: url, title: name, titles: [] })),
}

async function openPage(roles: readonly Role[], address = '/sys/rolesys') {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getAllRolesP, { datalist: [...roles], total: roles.length })
  api.answer(getAllModulesP, { datalist: modules, total: modules.length })
  api.answer(getCompanies, { datalist: [], total: 0 })
  const code = { code: 300, name: '抄表', description: '', roleCount: 0, version: 1, abilities: [] }
  api.answer(getRoleCodes, { datalist: [code], total: 1 })
  const part = await renderPart(
    <ConsoleMenuContext value={menu}>
      <RolesysPage />
    </ConsoleMenuContext>,
    { permissions: ['psys', 'ps-rolesys', 'prtjc', 'pr-rtreal'], address },
  )
  await screen.findByTestId('record-total')
  return { api, ...part }
}

const notices = () => useNotices.getState().notices.map(({ text }) => text)
const box = (url: string) => screen.getByTestId<HTMLInputElement>(`module-${url}`)
const preview = () => screen.getByTestId('menu-preview').textContent

test('§8 the modules of a role are edited, the menu of its users is previewed, and the change is reported', async () => {
  const { api, user } = await openPage([roleOf(7, '抄表员')], '/sys/rolesys?open=7')
  await screen.findByTestId('module-pr-rtreal')
  expect(preview()).toBe('室内温度实时室温')
  api.answer(editRoleModule, roleOf(7, '抄表员'))
  await user.click(box('ps-rolesys'))
  expect(preview()).toBe('室内温度实时室温系统管理角色管理')
  await user.click(box('pr-rtreal'))
  expect(preview()).toBe('系统管理角色管理')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(notices()).toEqual(['保存角色“抄表员”成功']))
  expect(api.calls(editRoleModule)).toEqual([
    {
      id: 7,
      version: 6,
      name: '抄表员',
      code: 101,
      description: '',
      needsSecondFactor: false,
      moduleIds: [5, 4],
    },
  ])
})

test('a role can require two-step sign-in', async () => {
  const { api, user } = await openPage([roleOf(7, '抄表员')], '/sys/rolesys?open=7')
  api.answer(editRoleModule, roleOf(7, '抄表员', { needsSecondFactor: true }))
  const required = await screen.findByTestId('field-needsSecondFactor')
  expect(required.getAttribute('aria-checked')).toBe('false')
  await user.click(required)
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(api.calls(editRoleModule)).toHaveLength(1))
  expect(api.calls(editRoleModule)).toMatchObject([{ id: 7, needsSecondFactor: true }])
})

test('modules that the user does not have cannot be given', async () => {
  await openPage([roleOf(7, '抄表员')], '/sys/rolesys?open=7')
  await screen.findByTestId('module-pr-rtreal')
  expect(box('pr-rthistory').disabled).toBe(true)
  expect(box('ps-rolesys').disabled).toBe(false)
})

test('a refused change is shown in the form', async () => {
  const { api, user } = await openPage([roleOf(7, '抄表员')], '/sys/rolesys?open=7')
  await screen.findByTestId('module-pr-rtreal')
  api.refuse(editRoleModule, { code: 'account.beyond-yours', text: '超出您的权限：抄表员' })
  await user.click(box('ps-rolesys'))
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('超出您的权限：抄表员')).toBeTruthy()
  expect(box('ps-rolesys').checked).toBe(true)
})

test('a role of others is only shown', async () => {
  await openPage([roleOf(7, '管理员', { abilities: [] })], '/sys/rolesys?open=7')
  expect(await screen.findByText(/您不能修改该角色/)).toBeTruthy()
  await screen.findByTestId('module-pr-rtreal')
  expect(box('pr-rtreal').disabled).toBe(true)
  expect(preview()).toBe('室内温度实时室温')
  expect(screen.queryByTestId('form-save')).toBeNull()
})

test('the code of a built-in role is fixed', async () => {
  const { api, user } = await openPage([roleOf(7, '客服', { builtIn: true })], '/sys/rolesys?open=7')
  await screen.findByTestId('module-pr-rtreal')
  expect(screen.queryByTestId('field-code')).toBeNull()
  api.answer(editRoleModule, roleOf(7, '客服'))
  await user.type(screen.getByTestId('field-description'), '白班')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(api.calls(editRoleModule)[0]).toMatchObject({ code: 101, description: '白班' }))
})

test('a new role needs a name and a code', async () => {
  const { api, user } = await openPage([])
  await user.click(screen.getByTestId('record-add'))
  await user.click(await screen.findByTestId('form-save'))
  expect(await screen.findAllByText('必填')).toHaveLength(2)
  expect(api.calls(addRole)).toEqual([])
})

test('a new role is sent with its modules', async () => {
  const { api, user } = await openPage([])
  api.answer(addRole, roleOf(8, '抄表员'))
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), '抄表员')
  await user.click(within(screen.getByTestId('field-code')).getByRole('combobox'))
  await user.click(await screen.findByTitle('300 抄表'))
  await user.click(box('pr-rtreal'))
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() =>
    expect(api.calls(addRole)).toEqual([{ name: '抄表员', code: 300, description: '', moduleIds: [2, 1] }]),
  )
})

test('the matrix saves the changed roles and names refusals; their changes stay', async () => {
  const roles = [roleOf(7, '抄表员'), roleOf(8, '巡检员'), roleOf(9, '管理员', { abilities: [] })]
  const { api, user } = await openPage(roles, '/sys/rolesys?open=matrix')
  const cell = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })
  expect((await cell('管理员: 角色管理')).disabled).toBe(true)
  await user.click(await cell('抄表员: 角色管理'))
  await user.click(await cell('巡检员: 实时室温'))
  api.decide(editRoleModule, ({ id }) =>
    id === 7
      ? { data: roleOf(7, '抄表员') }
      : { refusal: { code: 'entity.stale', text: '角色刚被 li 修改' } },
  )
  await user.click(screen.getByTestId('matrix-save'))
  expect(await screen.findByText('巡检员: 角色刚被 li 修改')).toBeTruthy()
  expect(api.calls(editRoleModule).map(({ id, moduleIds }) => ({ id, moduleIds }))).toEqual([
    { id: 7, moduleIds: [1, 2, 5, 4] },
    { id: 8, moduleIds: [] },
  ])
  expect((await cell('巡检员: 实时室温')).checked).toBe(false)
  expect(screen.getByTestId('matrix-save').textContent).toBe('保存（1 个角色）')
})

test('built-in roles cannot be deleted; a role in use is named with the reason', async () => {
  const roles = [
    roleOf(7, '抄表员'),
    roleOf(8, '客服', { builtIn: true, needsSecondFactor: false, abilities: ['edit', 'give'] }),
  ]
  const { api, user } = await openPage(roles, '/sys/rolesys?pick=7,8')
  api.refuse(deleteRole, { code: 'entity.in-use', text: '正在被使用，不能执行此操作：2 个用户' })
  await user.click(await screen.findByTestId('bulk-delete'))
  expect(await screen.findByText('1 项不能执行此操作，将跳过')).toBeTruthy()
  await user.click(screen.getByTestId('bulk-start'))
  expect(await screen.findByText(/正在被使用/)).toBeTruthy()
  expect(api.calls(deleteRole)).toEqual([{ id: 7, version: 6 }])
})
