import {
  deleteUserDevByTk,
  type Grant,
  getUserDevSubNestAddrByTk,
  insertSubUserDevByTk,
  insertUserDevByTk,
} from '@isotherm/contract/endpoints/administration/grants'
import { type User, userAbility } from '@isotherm/contract/endpoints/administration/users'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { clearTreeSelection, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { UserGrants } from './user-grants.tsx'

const li: User = {
  id: 4,
  account: 'li',
  name: '李四',
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
  abilities: [...userAbility.options],
}
const station: Grant = { node: '12', label: '东苑站', level: 4, nestaddr: '集团,东苑站' }
const owner = { uid: 4, account: 'li', seesAll: false, version: 6, abilities: [...userAbility.options] }

beforeEach(clearTreeSelection)

/** Checks nodes in the tree. */
function check(nodes: readonly { readonly key: string; readonly nestaddr: string }[]): void {
  const published = nodes.map(({ key, nestaddr }) => ({ key, nestaddr, label: nestaddr, level: 5 }))
  useTreeSelection.setState({
    covering: nodes.map(({ key }) => key),
    published: { count: nodes.length, [Symbol.iterator]: () => published[Symbol.iterator]() },
  })
}

async function open(user: User, over: Partial<typeof owner> = {}, grants: readonly Grant[] = [station]) {
  const api = startFakeApi()
  const answer = { ...owner, ...over, datalist: [...grants], total: grants.length }
  api.answer(getUserDevSubNestAddrByTk, answer)
  const changes: string[] = []
  const part = await renderPart(<UserGrants user={user} onChanged={() => changes.push('changed')} />)
  return { api, changes, ...part }
}

test('nodes checked in the tree are granted, based on the newest version', async () => {
  const { api, user, changes } = await open(li)
  await screen.findByText('集团 / 东苑站')
  check([{ key: '31', nestaddr: '集团,西苑小区' }])
  api.answer(insertUserDevByTk, { uid: 4, version: 7, total: 2 })
  await user.click(await screen.findByTestId('grant-nodes-checked'))
  await user.click(screen.getByTestId('grant-add'))
  await waitFor(() => expect(changes).toEqual(['changed']))
  expect(api.calls(insertUserDevByTk)).toEqual([{ uid: 4, version: 6, nodes: ['31'], deviceIds: [] }])
  expect(useNotices.getState().notices.map(({ text }) => text)).toEqual(['授权成功'])
})

test('a sub-account is granted nodes by the call for sub-accounts', async () => {
  const { api, user } = await open({ ...li, parentId: 2 })
  await screen.findByText('集团 / 东苑站')
  check([{ key: '31', nestaddr: '集团,西苑小区' }])
  api.refuse(insertSubUserDevByTk, { code: 'account.beyond-yours', text: '超出上级账号的权限：西苑小区' })
  await user.click(await screen.findByTestId('grant-nodes-checked'))
  await user.click(screen.getByTestId('grant-add'))
  expect(await screen.findByText('li 失败原因：超出上级账号的权限：西苑小区')).toBeTruthy()
  expect(api.calls(insertUserDevByTk)).toEqual([])
})

test('a grant is removed after a question', async () => {
  const { api, user } = await open(li)
  api.answer(deleteUserDevByTk, { uid: 4, version: 7, total: 0 })
  await user.click(await screen.findByRole('button', { name: '取消授权：集团 / 东苑站' }))
  expect(await screen.findByText('取消 li 的这项授权？')).toBeTruthy()
  expect(api.calls(deleteUserDevByTk)).toEqual([])
  await user.click(screen.getByRole('button', { name: '取消授权' }))
  await waitFor(() =>
    expect(api.calls(deleteUserDevByTk)).toEqual([{ uid: 4, version: 6, nodes: ['12'], deviceIds: [] }]),
  )
})

test('without the ability the grants are only shown', async () => {
  await open(li, { abilities: ['edit'] })
  await screen.findByText('集团 / 东苑站')
  expect(screen.queryByTestId('grant-add')).toBeNull()
  expect(screen.queryByRole('button', { name: /取消授权/ })).toBeNull()
})

test('a user who sees everything needs no grants', async () => {
  await open(li, { seesAll: true }, [])
  expect(await screen.findByText('该用户查看全部节点，不需授权。')).toBeTruthy()
  expect(screen.queryByTestId('grant-add')).toBeNull()
})
