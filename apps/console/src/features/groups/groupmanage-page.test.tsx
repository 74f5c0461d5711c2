import type { Device } from '@isotherm/contract/devices'
import { getDevsForVn, getSuidAndDeviceByPuid } from '@isotherm/contract/endpoints/administration/grants'
import {
  type DeviceGroup,
  deleteCtlGroup,
  getCtlGroup,
  insertCtlGroup,
  updateCtlGroup,
} from '@isotherm/contract/endpoints/devices/device-groups'
import { getDev, getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNotices } from '../../shared/notices/notices.ts'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import GroupmanagePage from './groupmanage-page.tsx'

const deviceOf = (id: number, over: Partial<Device> = {}): Device => ({
  id,
  imei: `V-${id}`,
  kind: 'valve',
  name: `阀${id}`,
  model: 'HV-25',
  node: '4',
  nestaddr: `集团,阳光小区,${id}号楼,1单元`,
  periodS: 900,
  description: '',
  use: 'in-use',
  version: 1,
  abilities: [],
  ...over,
})

const groupOf = (id: number, over: Partial<DeviceGroup> = {}): DeviceGroup => ({
  id,
  name: `分组${id}`,
  description: '',
  deviceIds: [1, 2],
  valveCount: 2,
  version: 5,
  abilities: ['edit', 'remove', 'control'],
  ...over,
})

const devices = [deviceOf(1), deviceOf(2), deviceOf(3), deviceOf(4, { use: 'retired' })]

interface Setup {
  readonly groups?: readonly DeviceGroup[]
  readonly address?: string
  readonly permissions?: readonly string[]
}

/** A server that finds the devices of a filter on ids, serials, use or kind. */
async function openPage({ groups = [], address = '', permissions = [] }: Setup = {}) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getCtlGroup, { datalist: [...groups], total: groups.length })
  api.answer(getDev, ({ filter = [] }) => {
    const found = devices.filter((device) =>
      filter.every(({ field, vstd }) => {
        const value = field === 'id' ? device.id : field === 'imei' ? device.imei : undefined
        return value === undefined
          ? field !== 'use' || device.use === vstd
          : String(vstd).split(',').includes(String(value))
      }),
    )
    return { datalist: found, total: found.length }
  })
  const view = await renderPart(<GroupmanagePage />, {
    permissions: ['pg-groupmanage', ...permissions],
    address: `/group/groupmanage${address}`,
  })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

const members = () => screen.queryAllByTestId(/^member-\d+$/).map(({ dataset }) => dataset.testid)

test('a new group gets its devices from a search, and is sent with their ids', async () => {
  const { api, user } = await openPage()
  api.answer(getDevs, { list: [deviceOf(3)], total: 1 })
  api.answer(insertCtlGroup, groupOf(9, { name: '朝北' }))
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), '朝北')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('必填')).toBeTruthy()
  await user.type(screen.getByRole('combobox', { name: '搜索' }), '阀3')
  await user.click(await screen.findByText(/阳光小区 \/ 3号楼 \/ 1单元 · 阀3 · V-3/))
  await waitFor(() => expect(members()).toEqual(['member-3']))
  expect(screen.getByTestId('member-count').textContent).toBe('成员 1 台，其中在用阀门 1 台')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() =>
    expect(api.calls(insertCtlGroup)).toEqual([{ name: '朝北', description: '', deviceIds: [3] }]),
  )
  await waitFor(() =>
    expect(useNotices.getState().notices.map(({ text }) => text)).toContain('分组“朝北”已保存'),
  )
})

test('a pasted list adds the devices it names; unknown serials and retired devices are named', async () => {
  const { user } = await openPage({ address: '?open=new' })
  await user.click(await screen.findByText('按编号文件'))
  fireEvent.change(screen.getByTestId('member-serials'), {
    target: { value: '编号,名称\nV-1,甲\nV-3,乙\nV-4,丙\nX 9,丁\nV-77,戊' },
  })
  await user.click(screen.getByTestId('member-add-serials'))
  expect((await screen.findByTestId('serials-result')).textContent).toBe('5 个编号中找到并加入 2 台')
  expect(screen.getByTestId('serials-unknown').textContent).toContain('X 9, V-77')
  expect(screen.getByTestId('serials-retired').textContent).toContain('V-4')
  expect(members()).toEqual(['member-1', 'member-3'])
})

test('a chosen file is read like a pasted list', async () => {
  const { user } = await openPage({ address: '?open=new' })
  await user.click(await screen.findByText('按编号文件'))
  await user.upload(
    screen.getByTestId('member-file'),
    new File(['V-2\r\nV-3\r\n'], 'serials.csv', { type: 'text/csv' }),
  )
  await waitFor(() =>
    expect(screen.getByTestId('member-serials')).toHaveProperty('value', expect.stringContaining('V-2')),
  )
  await user.click(screen.getByTestId('member-add-serials'))
  await waitFor(() => expect(members()).toEqual(['member-2', 'member-3']))
})

test('the valves in use below a node are counted and added together', async () => {
  const { api, user } = await openPage({ address: '?open=new' })
  api.answer(searchTree, {
    datalist: [
      {
        chain: [{ node: '4', label: '阳光小区', level: 5, nodetype: 'group' }],
        nestaddr: '集团,阳光小区',
        projectid: 1,
        match: 'name',
      },
    ],
    more: false,
  })
  await user.click(await screen.findByText('按管网节点'))
  await user.type(screen.getAllByRole('combobox')[0] ?? document.body, '阳光')
  await user.click(await screen.findByText('集团 / 阳光小区'))
  await waitFor(() => expect(screen.getByTestId('member-add-node').textContent).toBe('加入 3 台'))
  await user.click(screen.getByTestId('member-add-node'))
  await waitFor(() => expect(members()).toEqual(['member-1', 'member-2', 'member-3']))
  expect(api.calls(getDev).at(-1)).toMatchObject({
    nodes: ['4'],
    filter: [
      { field: 'use', cond: 'eq', vstd: 'in-use' },
      { field: 'kind', cond: 'in', vstd: 'valve' },
    ],
  })
})

test('a user who manages users adds the devices that a sub-account can see', async () => {
  const { api, user } = await openPage({ address: '?open=new', permissions: ['pu-usersetting'] })
  const account = { suid: 8, account: 'east', name: '东区', version: 1, deviceIds: [1, 3], devCount: 2 }
  api.answer(getSuidAndDeviceByPuid, { list: [account], total: 1 })
  api.answer(getDevsForVn, {
    list: [deviceOf(1), deviceOf(3)].map(({ id, imei, name, kind, model, node, nestaddr }) => ({
      id,
      imei,
      name,
      kind,
      model,
      node,
      nestaddr,
      isGrantedItself: false,
    })),
    total: 2,
  })
  await user.click(await screen.findByText('按子账号'))
  await user.click(screen.getByRole('combobox', { name: '按子账号' }))
  await user.click(await screen.findByText('east 东区（2 台）'))
  await user.click(screen.getByTestId('member-add-sub-account'))
  await waitFor(() => expect(members()).toEqual(['member-1', 'member-3']))
  expect(api.calls(getDevsForVn)).toMatchObject([{ uid: 8 }])
})

test('without the permission to manage users, sub-accounts are not offered', async () => {
  await openPage({ address: '?open=new' })
  expect(await screen.findByText('按编号文件')).toBeTruthy()
  expect(screen.queryByText('按子账号')).toBeNull()
})

test('a member is removed, and the change names the version that was seen', async () => {
  const { api, user } = await openPage({ groups: [groupOf(7)], address: '?open=7' })
  api.answer(updateCtlGroup, groupOf(7))
  await user.click(await screen.findByTestId('member-remove-1'))
  await waitFor(() => expect(members()).toEqual(['member-2']))
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() =>
    expect(api.calls(updateCtlGroup)).toEqual([
      { id: 7, version: 5, name: '分组7', description: '', deviceIds: [2] },
    ]),
  )
})

test('a group with devices outside the access of the user can only be viewed', async () => {
  await openPage({ groups: [groupOf(7, { abilities: [] })], address: '?open=7' })
  expect(await screen.findByText(/只能查看/)).toBeTruthy()
  await waitFor(() => expect(members()).toEqual(['member-1', 'member-2']))
  expect(screen.queryByTestId('form-save')).toBeNull()
  expect(screen.queryByTestId('member-remove-1')).toBeNull()
})

test('selected groups are deleted after a question that says that their devices stay', async () => {
  const { api, user } = await openPage({ groups: [groupOf(7), groupOf(8)], address: '?pick=7,8' })
  api.answer(deleteCtlGroup, { ids: [7] })
  await user.click(await screen.findByTestId('bulk-delete'))
  expect(await screen.findByText('删除 2 个分组？其中的 2 台设备本身不受影响。')).toBeTruthy()
  await user.click(screen.getByTestId('bulk-start'))
  await screen.findByTestId('bulk-close')
  expect(api.calls(deleteCtlGroup).map(({ items }) => items)).toEqual([
    [{ id: 7, version: 5 }],
    [{ id: 8, version: 5 }],
  ])
})
