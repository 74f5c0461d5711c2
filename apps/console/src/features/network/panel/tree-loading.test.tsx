import {
  getDevGroups,
  getSubdiv,
  getVauser,
  queryProjectList,
} from '@isotherm/contract/endpoints/network/network'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { townKeys } from './sample-town.testkit.ts'
import {
  chooseItem,
  eventually,
  expand,
  expectState,
  findRow,
  getRow,
  listNotices,
  listRows,
  openTree,
  partOf,
  renderTree,
} from './tree-panel.testkit.tsx'
import { createDelay, startTreeServer } from './tree-server.testkit.ts'

const refusal = { code: 'server.internal', text: 'failed' } as const
const LONG = { timeout: 10_000 }

/** A warning of the tree: 1 s (specification, section 9). */
const toWarning = (text: string) => ({ level: 'warning', text, durationS: 1 })

test('§2 Layout: a search input (placeholder 输入关键字) and a loading text 正在努力加载.....', async () => {
  const { api, company } = startTreeServer()
  const { released, release } = createDelay()
  api.answer(queryProjectList, async () => {
    await released
    return { list: company.projects, total: 1 }
  })
  await renderTree()
  expect(screen.getByPlaceholderText('输入关键字')).toBeTruthy()
  expect(await screen.findByText('正在努力加载.....')).toBeTruthy()
  release()
  await findRow('城东区域')
  expect(screen.queryByText('正在努力加载.....')).toBeNull()
})

test('§3 Tree levels: each row names its level, from the platform down to the household', async () => {
  startTreeServer()
  const view = await openTree()
  await expand(view, '城东区域', '东苑换热站', '东苑小区', '一号楼', '1单元')
  await findRow('101')
  const levels = ['平台', '集团', '公司', '区域', '换热站', '小区', '楼号', '单元', '户号']
  for (const [level, name] of levels.entries()) {
    const first = document.querySelector(`[role="treeitem"][aria-level="${level + 1}"] .tree-level`)
    expect(first?.textContent).toBe(name)
  }
})

test('§4 Tree: level 2 loads the sub-user and address lists once', async () => {
  const { api } = startTreeServer()
  const view = await openTree()
  await expand(view, '城东区域', '东苑换热站', '东苑小区', '文化路换热站', '文化里小区')
  await eventually(() => expect(listRows('测试用户')).toHaveLength(2))
  expect(api.calls(getVauser)).toHaveLength(1)
})

test('§9 Expanded-off delay: about 1 s after a level-2 load, subdivisions of type s are collapsed', async () => {
  const { api, company } = startTreeServer()
  const { released, release } = createDelay()
  api.answer(getSubdiv, async () => {
    await released
    return { datalist: company.subdivisions, total: 1 }
  })
  const view = await openTree()
  await expand(view, '城西区域', '城西换热站')
  await eventually(() => expect(api.calls(getSubdiv)).toHaveLength(1))
  const releasedAt = Date.now()
  release()
  await expectState('城西换热站', 'expanded', 'false')
  expect(Date.now() - releasedAt).toBeGreaterThan(900)
})

test('§8 Project fetch failed: the tree load aborts and can be retried', async () => {
  const { api, recover } = startTreeServer()
  api.refuse(queryProjectList, refusal)
  const { user } = await renderTree()
  const retry = await screen.findByRole('button', { name: '重试' }, LONG)
  expect(api.calls(getDevGroups)).toEqual([])
  recover()
  await user.click(retry)
  await findRow('城东区域')
})

test('§8 Group fetch failed: warning 获取分组错误, which disappears after its time, and the node offers a retry', async () => {
  const { api, recover } = startTreeServer()
  api.refuse(getDevGroups, refusal)
  const { user } = await renderTree()
  await eventually(() => expect(listNotices()).toEqual([toWarning('获取分组错误')]))
  // An open node without children and without this text would look empty.
  const retry = within(getRow('和源热力集团')).getByText('加载失败，重试')
  recover()
  await user.click(retry)
  await findRow('和源城区供热公司')
  await eventually(() => expect(screen.queryByText('加载失败，重试')).toBeNull())
})

test.each([
  ['the projects', queryProjectList, '重试', '城东区域'],
  ['the nodes of a project', getDevGroups, '加载失败，重试', '和源城区供热公司'],
] as const)(
  '%s that failed while the browser was offline are loaded when it is online again, without a click',
  async (_, endpoint, offered, name) => {
    const { api, recover } = startTreeServer()
    api.refuse(endpoint, refusal)
    await renderTree()
    await screen.findByText(offered, {}, LONG)
    recover()
    window.dispatchEvent(new Event('online'))
    await findRow(name)
    expect(screen.queryByText(offered)).toBeNull()
  },
)

test('§4 Tree: a refresh flag reloads the current node, or its parent when the parent-update flag is set', async () => {
  const { api } = startTreeServer()
  const view = await openTree()
  await expand(view, '城东区域', '东苑换热站')
  const before = api.calls(getDevGroups).length
  const requested = () =>
    api
      .calls(getDevGroups)
      .slice(before)
      .map(({ id }) => id)
  await view.user.click(getRow('东苑换热站'))
  await view.user.click(screen.getByTestId('tree-reload'))
  await eventually(() => expect(requested()).toEqual([Number(townKeys.eastStation)]))
  await chooseItem(view, '东苑换热站', '重新加载上级')
  await eventually(() => expect(requested().slice(1)).toEqual([Number(townKeys.east)]))
  await findRow('东苑小区')
})

test('a failed reload of the projects is reported, and can be retried', async () => {
  const { api, recover } = startTreeServer()
  const { user } = await openTree()
  api.refuse(queryProjectList, refusal)
  await user.click(screen.getByTestId('tree-reload'))
  await eventually(() => expect(listNotices()).toEqual([toWarning('获取项目错误')]))
  const retry = await screen.findByRole('button', { name: '重试' }, LONG)
  recover()
  await user.click(retry)
  await eventually(() => expect(screen.queryByRole('button', { name: '重试' })).toBeNull())
  await findRow('城东区域')
})

test('§8 Sub-user address fetch failed: warning 取子用户地址错误', async () => {
  const { api } = startTreeServer()
  api.refuse(getSubdiv, refusal)
  await renderTree()
  await eventually(() => expect(listNotices()).toEqual([toWarning('取子用户地址错误')]))
})

test('§8 Sub-user fetch failed: warning 取子用户错误, and the area may be opened again', async () => {
  const { api, recover } = startTreeServer()
  api.refuse(getVauser, refusal)
  const view = await openTree()
  await expand(view, '城东区域', '东苑换热站', '东苑小区')
  await eventually(() => expect(listNotices()).toContainEqual(toWarning('取子用户错误')))
  recover()
  await view.user.click(partOf('东苑小区', 'toggle'))
  await view.user.click(partOf('东苑小区', 'toggle'))
  await findRow('一号楼')
})
