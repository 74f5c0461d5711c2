import { addDevGroup, deleteDevGroups, editDevGroup } from '@isotherm/contract/endpoints/network/groups'
import { getDevGroups, getVauser } from '@isotherm/contract/endpoints/network/network'
import { getNodeRecord, type NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import { addProject } from '@isotherm/contract/endpoints/network/projects'
import { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { addSubUser, editSubUser } from '@isotherm/contract/endpoints/network/vausers'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { UUID_A, vauser } from '../lists/list-samples.testkit.ts'
import { areaHit, townKeys } from './sample-town.testkit.ts'
import { chooseItem, eventually, expand, findRow, getRow, openTree } from './tree-panel.testkit.tsx'
import { startTreeServer } from './tree-server.testkit.ts'

const permissions = ['ps-oraigionsys', 'pg-groupmanage']
const LONG = { timeout: 10_000 }

const station: NodeRecord = {
  node: townKeys.eastStation,
  nodetype: 'group',
  name: '东苑换热站',
  level: 4,
  nestaddr: '和源热力集团,和源城区供热公司,城东区域,东苑换热站',
  parent: townKeys.east,
  description: '一期',
  version: 6,
  abilities: ['add', 'edit', 'remove'],
  touches: { nodes: 12, devices: 34, accounts: 2 },
}

const savedGroup = {
  id: 5,
  title: '东苑新站',
  level: 4,
  parentId: 3,
  projectId: 1,
  description: '一期',
  version: 7,
  abilities: [],
}

async function openEditing(record: NodeRecord = station, granted = permissions) {
  const server = startTreeServer()
  const west = { ...station, node: '4', name: '城西区域', level: 3, parent: '2' }
  server.api.answer(getNodeRecord, ({ node }) => (node === '4' ? west : record))
  const view = await openTree({ permissions: granted })
  await expand(view, '城东区域')
  await findRow('东苑换热站')
  return { ...server, view, user: view.user }
}

const menuItems = async () => {
  fireEvent.contextMenu(getRow('东苑换热站'))
  await screen.findByRole('menuitem', { name: '复制地址' })
  return () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
}

const pressUndo = () =>
  useNotices
    .getState()
    .notices.find(({ action }) => action)
    ?.action?.act()

test('the menu offers what the server allows, and nothing to a user without the permission', async () => {
  const first = await openEditing({ ...station, abilities: ['add'] })
  const items = await menuItems()
  await waitFor(() => expect(items().some((text) => text?.startsWith('编辑'))).toBe(false), LONG)
  expect(items().some((text) => text?.startsWith('新增下级'))).toBe(true)
  expect(items().some((text) => text?.startsWith('删除'))).toBe(false)
  first.view.unmount()
  const { api } = await openEditing(station, [])
  const none = await menuItems()
  expect(none().some((text) => text?.startsWith('新增下级'))).toBe(false)
  expect(api.calls(getNodeRecord)).toEqual([])
})

test('a user who may not add buildings is offered nothing to add below a residential area', async () => {
  await openEditing({ ...station, level: 5, abilities: ['add', 'edit', 'remove'] }, ['pg-groupmanage'])
  const items = await menuItems()
  await waitFor(() => expect(items().some((text) => text?.startsWith('新增下级'))).toBe(false), LONG)
  expect(items().some((text) => text?.startsWith('编辑'))).toBe(true)
})

test('a residential area is added below a station: the next level is proposed', async () => {
  const { api, view, user } = await openEditing()
  api.answer(addDevGroup, { ...savedGroup, title: '三期-北' })
  await chooseItem(view, '东苑换热站', /新增下级/)
  await user.type(await screen.findByTestId('field-title', {}, LONG), '三期-北')
  await user.click(screen.getByTestId('form-save'))
  await eventually(() =>
    expect(api.calls(addDevGroup)).toEqual([{ parentId: 5, title: '三期-北', level: 5, description: '' }]),
  )
  await eventually(() => expect(useNotices.getState().notices.at(-1)?.text).toBe('已新增“三期-北”'))
})

test('another level can be chosen after the name; buildings are offered below residential areas only', async () => {
  const { api, view, user } = await openEditing({ ...station, level: 3 })
  api.answer(addDevGroup, savedGroup)
  await chooseItem(view, '东苑换热站', /新增下级/)
  await user.type(await screen.findByTestId('field-title', {}, LONG), '北区')
  const levels = screen.getByTestId('edit-level')
  expect(levels.textContent).toBe('换热站小区')
  await user.click(within(levels).getByText('小区'))
  await user.click(screen.getByTestId('form-save'))
  await eventually(() => expect(api.calls(addDevGroup)).toMatchObject([{ title: '北区', level: 5 }]))
})

test('a renamed station is reloaded, and undo gives it back its name by its new version', async () => {
  const { api, view, user } = await openEditing()
  api.answer(editDevGroup, savedGroup)
  await chooseItem(view, '东苑换热站', /编辑/)
  const name = await screen.findByTestId('field-title', {}, LONG)
  await user.clear(name)
  await user.type(name, '东苑新站')
  const before = api.calls(getDevGroups).length
  await user.click(screen.getByTestId('form-save'))
  await eventually(() => expect(api.calls(getDevGroups).length).toBeGreaterThan(before))
  expect(api.calls(editDevGroup)).toEqual([
    { id: 5, version: 6, title: '东苑新站', description: '一期', level: 4 },
  ])
  pressUndo()
  await eventually(() =>
    expect(api.calls(editDevGroup)[1]).toEqual({
      id: 5,
      version: 7,
      title: '东苑换热站',
      description: '一期',
      level: 4,
    }),
  )
  await eventually(() => expect(useNotices.getState().notices.at(-1)?.text).toBe('已撤销'))
})

test('after a change by another user the newest values are loaded, and undo restores those', async () => {
  const { api, view, user } = await openEditing()
  await chooseItem(view, '东苑换热站', /编辑/)
  const name = await screen.findByTestId('field-title', {}, LONG)
  await user.clear(name)
  await user.type(name, '东苑新站')
  api.refuse(editDevGroup, { code: 'entity.stale', text: '节点刚被 li 修改（说明），请重新加载后再试' })
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText(/刚被 li 修改/)).toBeTruthy()
  api.answer(getNodeRecord, { ...station, description: '二期', version: 9 })
  api.answer(editDevGroup, { ...savedGroup, version: 10 })
  await user.click(screen.getByTestId('form-reload'))
  await waitFor(() => expect(screen.getByTestId('field-description')).toHaveProperty('value', '二期'))
  await user.click(screen.getByTestId('form-save'))
  await eventually(() =>
    expect(api.calls(editDevGroup)[1]).toMatchObject({ version: 9, title: '东苑新站', description: '二期' }),
  )
  await eventually(() => expect(useNotices.getState().notices.some(({ action }) => action)).toBe(true))
  pressUndo()
  await eventually(() =>
    expect(api.calls(editDevGroup)[2]).toMatchObject({
      version: 10,
      title: '东苑换热站',
      description: '二期',
    }),
  )
})

test('a move shows the numbers of affected nodes, devices and accounts, refuses a parent of its own level, and can be undone', async () => {
  const { api, view, user } = await openEditing()
  api.answer(editDevGroup, savedGroup)
  const west = {
    ...areaHit,
    chain: areaHit.chain.slice(0, 3),
    nestaddr: '和源热力集团,和源城区供热公司,城西区域',
  }
  const chain = west.chain.map((step) =>
    step.level === 3 ? { ...step, node: '4', label: '城西区域' } : step,
  )
  api.answer(searchTree, { datalist: [{ ...west, chain }], more: false })
  await chooseItem(view, '东苑换热站', /移动/)
  expect((await screen.findByTestId('edit-touches', {}, LONG)).textContent).toMatch(
    /下级节点 12设备 34.*账号 2/,
  )
  expect(screen.getByTestId('edit-move')).toHaveProperty('disabled', true)
  api.answer(searchTree, { datalist: [{ ...areaHit, chain: areaHit.chain.slice(0, 4) }], more: false })
  await user.type(screen.getByRole('combobox', { name: '新的上级' }), '东苑')
  await user.click(await screen.findByText(/东苑小区$/, { selector: '.ant-select-item-option-content' }))
  expect(await screen.findByText(/上级的层级须高于它/)).toBeTruthy()
  api.answer(searchTree, { datalist: [{ ...west, chain }], more: false })
  await user.type(screen.getByRole('combobox', { name: '新的上级' }), '城西')
  await user.click(await screen.findByText('和源热力集团 / 和源城区供热公司 / 城西区域'))
  await user.click(screen.getByTestId('edit-move'))
  await eventually(() => expect(api.calls(editDevGroup)).toEqual([{ id: 5, version: 6, parentId: 4 }]))
  await eventually(() => expect(useNotices.getState().notices.at(-1)?.text).toBe('已移动“东苑换热站”'))
  pressUndo()
  await eventually(() => expect(api.calls(editDevGroup)[1]).toEqual({ id: 5, version: 7, parentId: 3 }))
})

test('a row is dragged to its new parent, which is confirmed before it moves; a wrong place takes nothing', async () => {
  const { api, view } = await openEditing()
  api.answer(editDevGroup, savedGroup)
  const dataTransfer = { setData: () => undefined, effectAllowed: '' }
  const drag = (from: string, to: string) => {
    fireEvent.dragStart(getRow(from), { dataTransfer })
    const isRefused = fireEvent.dragOver(getRow(to), { dataTransfer })
    fireEvent.drop(getRow(to), { dataTransfer })
    return !isRefused
  }
  expect(getRow('东苑换热站').getAttribute('draggable')).toBe('true')
  expect(getRow('和源热力集团').getAttribute('draggable')).toBe('false')
  for (const wrong of ['文化路换热站', '城东区域']) expect(drag('东苑换热站', wrong)).toBe(false)
  expect(screen.queryByTestId('edit-move')).toBeNull()
  expect(drag('东苑换热站', '城西区域')).toBe(true)
  await waitFor(() => expect(screen.getByTestId('edit-move')).toHaveProperty('disabled', false), LONG)
  expect(screen.getByText('和源热力集团 / 和源城区供热公司 / 城西区域')).toBeTruthy()
  await view.user.click(screen.getByTestId('edit-move'))
  await eventually(() => expect(api.calls(editDevGroup)).toEqual([{ id: 5, version: 6, parentId: 4 }]))
})

test('a node with devices is not removed; an empty one is, after a warning with the users who lose access', async () => {
  const first = await openEditing()
  await chooseItem(first.view, '东苑换热站', /删除/)
  expect(await screen.findByText(/请先移动或删除其下级节点和设备/, {}, LONG)).toBeTruthy()
  expect(screen.getByTestId('edit-remove')).toHaveProperty('disabled', true)
  await first.user.click(screen.getByText('取消'))
  first.view.unmount()
  const { api, view, user } = await openEditing({
    ...station,
    touches: { nodes: 0, devices: 0, accounts: 2 },
  })
  api.answer(deleteDevGroups, {})
  await chooseItem(view, '东苑换热站', /删除/)
  expect(await screen.findByText(/2 个账号会失去对它的权限/, {}, LONG)).toBeTruthy()
  await user.click(screen.getByTestId('edit-remove'))
  await eventually(() => expect(api.calls(deleteDevGroups)).toEqual([{ items: [{ id: 5, version: 6 }] }]))
})

test('a building is added with generated addresses', async () => {
  const area: NodeRecord = { ...station, node: '7', name: '东苑小区', level: 5, parent: '5' }
  const { api, view, user } = await openEditing(area)
  api.answer(addSubUser, vauser(UUID_A, 'A-3号楼', []))
  await expand(view, '东苑换热站')
  await findRow('东苑小区')
  await chooseItem(view, '东苑小区', /新增下级/)
  await user.type(await screen.findByTestId('field-name', {}, LONG), 'A-3号楼')
  for (const [what, number] of [
    ['units', '1'],
    ['floors', '2'],
    ['households', '1'],
  ] as const)
    fireEvent.change(screen.getByTestId(`generate-${what}`), { target: { value: number } })
  await user.click(screen.getByTestId('generate'))
  await user.click(screen.getByTestId('form-save'))
  await eventually(() =>
    expect(api.calls(addSubUser)).toEqual([
      {
        name: 'A-3号楼',
        parentId: 7,
        addrlist: ['1单元-101', '1单元-201'],
        areas: [],
        test: false,
      },
    ]),
  )
})

test('F2 edits the building of the row, with its areas; wrong lines are named and not sent', async () => {
  const building: NodeRecord = {
    ...station,
    node: UUID_A,
    nodetype: 'user',
    name: '一号楼',
    level: 6,
    parent: '7',
  }
  const { api, view, user } = await openEditing(building)
  await expand(view, '东苑换热站', '东苑小区')
  await user.click(await findRow('一号楼'))
  const stored = vauser(UUID_A, '一号楼', ['1单元-101', '1单元-102'])
  api.answer(getVauser, {
    datalist: [{ ...stored, areas: [{ address: '1单元-101', areaM2: 80 }] }],
    total: 1,
  })
  api.answer(editSubUser, { ...stored, version: 2 })
  await user.keyboard('{F2}')
  const lines = await screen.findByTestId('field-addresses', {}, LONG)
  expect(lines).toHaveProperty('value', '1单元-101, 80\n1单元-102')
  fireEvent.change(lines, { target: { value: '1单元-101, x\n1单元-102' } })
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('1 行不是地址或面积（第 1 行）')).toBeTruthy()
  expect(api.calls(editSubUser)).toEqual([])
  fireEvent.change(lines, { target: { value: '1单元-101, 82.5\n1单元-103' } })
  await user.click(screen.getByTestId('form-save'))
  await eventually(() =>
    expect(api.calls(editSubUser)).toEqual([
      {
        uuid: UUID_A,
        version: 1,
        name: '一号楼',
        addrlist: ['1单元-101', '1单元-103'],
        areas: [{ address: '1单元-101', areaM2: 82.5 }],
      },
    ]),
  )
})

test('the Delete key on a node that the user may not remove shows a message', async () => {
  const { user } = await openEditing({ ...station, abilities: [] })
  await user.click(getRow('东苑换热站'))
  await user.keyboard('{Delete}')
  expect(await screen.findByText('节点已不存在，或您不能这样编辑它', {}, LONG)).toBeTruthy()
})

test('a project is added at the root; with several companies its company is chosen', async () => {
  const { api, view, user } = await openEditing()
  const company = { id: 1, tenant: 'a', name: '甲公司', timeZone: 'Asia/Shanghai', version: 1, abilities: [] }
  api.answer(getCompanies, { datalist: [company, { ...company, id: 2, name: '乙公司' }], total: 2 })
  api.answer(addProject, { id: 9, projectName: '北区', description: '', version: 1, abilities: [] })
  await chooseItem(view, '二网监控平台', /新增下级/)
  await user.click(await screen.findByRole('combobox', { name: '所属企业' }, LONG))
  await user.click(await screen.findByText('乙公司'))
  await user.type(screen.getByTestId('field-projectName'), '北区')
  await user.click(screen.getByTestId('form-save'))
  await eventually(() =>
    expect(api.calls(addProject)).toEqual([{ companyId: 2, projectName: '北区', description: '' }]),
  )
})
