import { getAllRolesP, type Role } from '@isotherm/contract/endpoints/administration/roles'
import {
  endSessions,
  getSessions,
  getVerification,
  resetPassword,
  sendVerificationCode,
} from '@isotherm/contract/endpoints/administration/user-access'
import {
  deleteUsers,
  editUser,
  editUserEnableState,
  getUsers,
  regUser2,
  type User,
} from '@isotherm/contract/endpoints/administration/users'
import { getCompanies, getOrgans } from '@isotherm/contract/endpoints/network/organisations'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { toGivenPassword } from '../../../shared/session/new-password.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import type { UserView } from '../user-views.ts'
import { UsersPage } from './users-page.tsx'

const all: User['abilities'] = [
  'edit',
  'enable',
  'remove',
  'reset-password',
  'give-roles',
  'grant',
  'end-sessions',
]

const userOf = (id: number, account: string, over: Partial<User> = {}): User => ({
  id,
  account,
  name: `${account}名`,
  pAccount: 'east',
  sysrole: 101,
  tel: '',
  type_id: 1,
  usrUserLevel: 1,
  usrUserType: '01',
  projectIds: [],
  enabled: true,
  seesAll: false,
  companyId: 1,
  organisationId: null,
  parentId: null,
  roles: [],
  createdAt: 1_700_000_000_000,
  version: 3,
  abilities: all,
  ...over,
})

const roleOf = (id: number, name: string, over: Partial<Role> = {}): Role => ({
  id,
  name,
  code: 100 + id,
  codeName: name,
  description: '',
  companyId: null,
  companyName: null,
  builtIn: true,
  needsSecondFactor: false,
  moduleIds: [],
  urls: [],
  accountCount: 0,
  version: 1,
  abilities: ['give'],
  ...over,
})

interface Opened {
  readonly view?: UserView
  readonly address?: string
  readonly needsCode?: boolean
  readonly language?: 'zh' | 'en'
  readonly permissions?: readonly string[]
  readonly userType?: string
}

async function openPage(users: readonly User[], options: Opened = {}) {
  const { view = 'usersetting', address = '/users/usersetting', needsCode = false, language = 'zh' } = options
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getUsers, { list: [...users], total: users.length })
  api.answer(getAllRolesP, {
    datalist: [roleOf(1, '运行调度'), roleOf(2, '管理员', { abilities: [] })],
    total: 2,
  })
  api.answer(getCompanies, { datalist: [], total: 0 })
  api.answer(getOrgans, { datalist: [], total: 0 })
  api.answer(getVerification, { isConfigured: needsCode })
  const part = await renderPart(<UsersPage view={view} />, {
    permissions: options.permissions ?? ['pu-usersetting'],
    address,
    language,
    ...(options.userType && { userType: options.userType }),
  })
  await screen.findByTestId('record-total')
  return { api, ...part }
}

const accounts = () => screen.getAllByTestId(/^record-\d+$/).map(({ textContent }) => textContent)
const notices = () => useNotices.getState().notices.map(({ text }) => text)
const confirm = async (user: { click: (element: Element) => Promise<void> }, text: string) => {
  const buttons = await screen.findAllByRole('button', { name: text })
  const last = buttons.at(-1)
  if (!last) throw new Error('no button')
  await user.click(last)
}

test('§3 account list query: users of companies are requested by account name', async () => {
  const { api } = await openPage([userOf(1, 'li')])
  await waitFor(() => expect(accounts()).toEqual(['li']))
  expect(api.calls(getUsers)[0]).toMatchObject({
    pageNo: 1,
    resultListType: 1,
    systemId: 301,
    usrUserType: '01',
  })
})

test('the page of provider users requests only those, and company staff cannot register one', async () => {
  const { api } = await openPage([], {
    view: 'htusersys',
    address: '/sys/htusersys',
    permissions: ['ps-htusersys'],
  })
  await waitFor(() => expect(api.calls(getUsers)).toHaveLength(1))
  expect(api.calls(getUsers)[0]).toMatchObject({ usrUserType: '100' })
  expect(await screen.findByText('平台用户由平台方管理，本单位账号看不到。')).toBeTruthy()
  expect(screen.queryByTestId('record-add')).toBeNull()
})

test('before the first company the page asks the provider to add it, and nobody can be registered', async () => {
  await openPage([], { userType: '100' })
  expect(await screen.findByText('还没有企业，请先在首页新增。')).toBeTruthy()
  expect(screen.queryByTestId('record-add')).toBeNull()
})

test('search and filters select users, and are in the address', async () => {
  const chief = userOf(1, 'chief', { roles: [{ id: 1, name: '运行调度', code: 101 }] })
  const users = [chief, userOf(2, 'li', { parentId: 1, tel: '13800' }), userOf(3, 'off', { enabled: false })]
  const { user, address } = await openPage(users, { address: '/users/usersetting?state=1&parent=1' })
  await waitFor(() => expect(accounts()).toEqual(['li']))
  await user.click(screen.getByText('清除条件'))
  await waitFor(() => expect(accounts()).toEqual(['chief', 'li', 'off']))
  await user.type(screen.getByTestId('record-search'), '138')
  await waitFor(() => expect(accounts()).toEqual(['li']))
  expect(address()).toBe('/users/usersetting?q=138')
})

test('§8 registration: the password is sent as a hash, and the account is reported', async () => {
  const { api, user } = await openPage([])
  api.answer(regUser2, { id: 9, account: 'wang', version: 1 })
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-account'), 'wang')
  await user.type(screen.getByTestId('field-password'), '东苑换热站的夜班密码')
  await user.type(screen.getByTestId('field-name'), '王五')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(notices()).toEqual(['wang 注册成功']))
  expect(api.calls(regUser2)).toEqual([
    {
      account: 'wang',
      name: '王五',
      ...toGivenPassword('东苑换热站的夜班密码'),
      tel: '',
      usrUserType: '01',
      roleIds: [],
      nodes: [],
      deviceIds: [],
      seesAll: false,
      secAccount: null,
    },
  ])
})

test('a short password and a wrong account are named and not sent', async () => {
  const { api, user } = await openPage([])
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-account'), 'a b')
  await user.type(screen.getByTestId('field-password'), '123456789')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('至少 10 个字符')).toBeTruthy()
  expect(screen.getByText('1 至 64 个字母、数字、汉字或 . _ @ -')).toBeTruthy()
  expect(api.calls(regUser2)).toEqual([])
})

test('a generated password is shown and long enough', async () => {
  const { user } = await openPage([])
  await user.click(screen.getByTestId('record-add'))
  await user.click(await screen.findByTestId('password-generate'))
  const field = screen.getByTestId('field-password')
  expect(field.getAttribute('type')).toBe('text')
  expect(field).toHaveProperty('value.length', 14)
})

test('without an SMS gateway the form shows a hint and no field for a code', async () => {
  const { user } = await openPage([])
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-tel'), '13800000000')
  expect(await screen.findByText('未配置短信网关：不发送验证码，号码不作核实')).toBeTruthy()
  expect(screen.queryByTestId('field-verificationCode')).toBeNull()
})

test('with an SMS gateway a code is sent to the entered number and becomes part of the registration', async () => {
  const { api, user } = await openPage([], { needsCode: true })
  api.refuse(sendVerificationCode, { code: 'request.too-many', text: '请 40 秒后再试' })
  api.answer(regUser2, { id: 9, account: 'wang', version: 1 })
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-tel'), '1380')
  expect(await screen.findByTestId('code-send')).toHaveProperty('disabled', true)
  await user.type(screen.getByTestId('field-tel'), '0000000')
  await user.click(screen.getByTestId('code-send'))
  expect(await screen.findByText('请 40 秒后再试')).toBeTruthy()
  api.answer(sendVerificationCode, { expiresAt: 1_700_000_000_000 })
  await user.click(screen.getByTestId('code-send'))
  expect(await screen.findByText(/验证码已发送/)).toBeTruthy()
  expect(api.calls(sendVerificationCode).at(-1)).toEqual({ tel: '13800000000' })
  await user.type(screen.getByTestId('field-account'), 'wang')
  await user.type(screen.getByTestId('field-name'), '王五')
  await user.click(screen.getByTestId('password-generate'))
  await user.type(screen.getByTestId('field-verificationCode'), '123456')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(api.calls(regUser2)).toHaveLength(1))
  expect(api.calls(regUser2)[0]).toMatchObject({ tel: '13800000000', verificationCode: '123456' })
})

test('§8 a refused edit has the text with account and reason; the entries stay', async () => {
  const { api, user } = await openPage([userOf(4, 'li')], { address: '/users/usersetting?open=4' })
  api.refuse(editUser, { code: 'account.beyond-yours', text: '超出您的权限：管理员' })
  const name = await screen.findByTestId('field-name')
  await user.clear(name)
  await user.type(name, '李工')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('li 失败原因：超出您的权限：管理员')).toBeTruthy()
  expect(name).toHaveProperty('value', '李工')
  expect(notices()).toEqual([])
})

test('§8 an edit sends only what was changed, and is reported in English too', async () => {
  const { api, user } = await openPage([userOf(4, 'li')], {
    address: '/users/usersetting?open=4',
    language: 'en',
  })
  api.answer(editUser, { id: 4, account: 'li', version: 4 })
  await user.type(await screen.findByTestId('field-tel'), '13900000000')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(notices()).toEqual(['li edited successfully']))
  expect(api.calls(editUser)).toEqual([{ id: 4, version: 3, tel: '13900000000' }])
})

test('nobody sees controls for their own rights, state or password', async () => {
  await openPage([userOf(7, 'me', { abilities: ['edit', 'end-sessions'] })], {
    address: '/users/usersetting?open=7',
  })
  expect(await screen.findByTestId('field-name')).toBeTruthy()
  expect(screen.queryByTestId('field-roleIds')).toBeNull()
  expect(screen.queryByTestId('field-secAccount')).toBeNull()
  expect(screen.queryByTestId('user-disable')).toBeNull()
  expect(screen.queryByTestId('user-delete')).toBeNull()
  expect(screen.queryByRole('tab', { name: '密码' })).toBeNull()
})

test('a user with more rights can be seen and not changed', async () => {
  await openPage([userOf(4, 'chief', { abilities: [] })], { address: '/users/usersetting?open=4' })
  expect(await screen.findByText('您不能修改该用户：其权限超出您的权限。')).toBeTruthy()
  expect(screen.queryByTestId('form-save')).toBeNull()
  expect(screen.queryByTestId('user-delete')).toBeNull()
})

test('disabling asks first, names the sub-accounts, and is reported', async () => {
  const users = [userOf(4, 'li'), userOf(5, 'sub', { parentId: 4 })]
  const { api, user } = await openPage(users, { address: '/users/usersetting?open=4' })
  api.answer(editUserEnableState, { id: 4, account: 'li', version: 4 })
  await user.click(await screen.findByTestId('user-disable'))
  expect(await screen.findByText(/1 个子账号的登录会话立即结束/)).toBeTruthy()
  expect(api.calls(editUserEnableState)).toEqual([])
  await confirm(user, '停用')
  await waitFor(() => expect(notices()).toEqual(['li 停用成功']))
  expect(api.calls(editUserEnableState)).toEqual([{ id: 4, version: 3, state: 0 }])
})

test('§8 a deletion names what it touches, takes sub-accounts along, and closes the drawer', async () => {
  const users = [userOf(4, 'li'), userOf(5, 'sub', { parentId: 4, version: 8 })]
  const { api, user, address } = await openPage(users, { address: '/users/usersetting?open=4' })
  api.answer(deleteUsers, { accounts: ['li', 'sub'] })
  await user.click(await screen.findByTestId('user-delete'))
  expect(await screen.findByText(/授权、登录会话和 1 个子账号/)).toBeTruthy()
  await confirm(user, '删除')
  await waitFor(() => expect(notices()).toEqual(['li、sub 删除成功']))
  expect(api.calls(deleteUsers)).toEqual([
    {
      items: [
        { id: 4, version: 3 },
        { id: 5, version: 8 },
      ],
    },
  ])
  await waitFor(() => expect(address()).toBe('/users/usersetting'))
})

test('selected users are deleted together; a selected sub-account goes with its parent', async () => {
  const users = [userOf(4, 'li'), userOf(5, 'sub', { parentId: 4 }), userOf(6, 'zhao')]
  const { api, user } = await openPage(users, { address: '/users/usersetting?pick=4,5,6' })
  api.answer(deleteUsers, ({ items }) => ({ accounts: items.map(({ id }) => String(id)) }))
  await user.click(await screen.findByTestId('bulk-delete'))
  await user.click(await screen.findByTestId('bulk-start'))
  expect(await screen.findByTestId('bulk-close')).toBeTruthy()
  expect(api.calls(deleteUsers).map(({ items }) => items.map(({ id }) => id))).toEqual([[4, 5], [6]])
})

test('a reset password is sent as a hash and reported', async () => {
  const { api, user } = await openPage([userOf(4, 'li')], { address: '/users/usersetting?open=4' })
  api.answer(resetPassword, { id: 4, account: 'li', version: 4 })
  await user.click(await screen.findByRole('tab', { name: '密码' }))
  const part = await screen.findByRole('tabpanel', { name: '密码' })
  // The server does not compare it with earlier passwords, so the form does not say so.
  expect(part.textContent).toContain('至少 10 个字符；不含账号名，不是常见密码该用户')
  await user.type(within(part).getByTestId('field-password'), '新的夜班密码一二三四')
  await user.click(within(part).getByTestId('form-save'))
  await waitFor(() => expect(notices()).toEqual(['li 重置密码成功']))
  expect(api.calls(resetPassword)).toEqual([
    { uid: 4, version: 3, ...toGivenPassword('新的夜班密码一二三四') },
  ])
})

test('a session of a user is ended; the present one of the caller cannot be', async () => {
  const { api, user } = await openPage([userOf(4, 'li')], { address: '/users/usersetting?open=4' })
  const session = { uid: 4, address: '10.0.0.8', createdAt: 1_700_000_000_000, expiresAt: 1_700_007_200_000 }
  api.answer(getSessions, {
    datalist: [
      { ...session, id: 31, isThis: false },
      { ...session, id: 30, isThis: true },
    ],
    total: 2,
  })
  api.answer(endSessions, { ended: 1 })
  await user.click(await screen.findByRole('tab', { name: '登录会话' }))
  await user.click(await screen.findByTestId('session-end-31'))
  await waitFor(() => expect(notices()).toEqual(['结束会话成功']))
  expect(api.calls(endSessions)).toEqual([{ ids: [31] }])
  expect(screen.queryByTestId('session-end-30')).toBeNull()
})

test('a sub-account is registered under the user it is added to', async () => {
  const { user } = await openPage([userOf(4, 'li')], { address: '/users/usersetting?open=4' })
  await user.click(await screen.findByRole('tab', { name: '子账号 0' }))
  await user.click(await screen.findByTestId('sub-account-add'))
  const parent = await screen.findByTestId('field-secAccount')
  expect(parent.closest('.ant-select')?.textContent ?? parent.textContent).toContain('li')
})

test('only roles that the caller may give are offered', async () => {
  const { user } = await openPage([])
  await user.click(screen.getByTestId('record-add'))
  const roles = await screen.findByTestId('field-roleIds')
  await user.click(within(roles).getByRole('combobox'))
  expect(await screen.findByTitle('运行调度')).toBeTruthy()
  expect(screen.queryByTitle('管理员')).toBeNull()
})

test('an opened user is loaded again, because the list may be older than a change', async () => {
  const { api, user } = await openPage([userOf(4, 'li')])
  await waitFor(() => expect(accounts()).toEqual(['li']))
  api.answer(getUsers, { list: [userOf(4, 'li', { name: '新名', version: 9 })], total: 1 })
  await user.click(screen.getByTestId('record-4'))
  await waitFor(() => expect(screen.getByTestId('field-name')).toHaveProperty('value', '新名'))
})

test('a deletion after a change by another user is refused, and succeeds when tried again', async () => {
  const { api, user } = await openPage([userOf(4, 'li')], { address: '/users/usersetting?open=4' })
  await waitFor(() => expect(api.calls(getUsers)).toHaveLength(2))
  api.answer(getUsers, { list: [userOf(4, 'li', { version: 9 })], total: 1 })
  api.decide(deleteUsers, ({ items }) =>
    items[0]?.version === 9
      ? { data: { accounts: ['li'] } }
      : { refusal: { code: 'entity.stale', text: '刚被 zhao 修改' } },
  )
  await user.click(await screen.findByTestId('user-delete'))
  await confirm(user, '删除')
  expect(await screen.findByText('li 失败原因：刚被 zhao 修改')).toBeTruthy()
  await waitFor(() => expect(api.calls(getUsers)).toHaveLength(3))
  await user.click(screen.getByTestId('user-delete'))
  await confirm(user, '删除')
  await waitFor(() => expect(notices()).toEqual(['li 删除成功']))
})
