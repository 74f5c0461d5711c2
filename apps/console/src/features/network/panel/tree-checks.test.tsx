import { getDevGroups, queryProjectList } from '@isotherm/contract/endpoints/network/network'
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { connectLive } from '../../../shared/testing/connect-live.testkit.ts'
import { townKeys } from './sample-town.testkit.ts'
import {
  clickCheck,
  eventually,
  expand,
  expectState,
  findRow,
  getRow,
  leavePage,
  listNotices,
  listRows,
  openTree,
  pageText,
  partOf,
  renderTree,
  stateOf,
} from './tree-panel.testkit.tsx'
import { startTreeServer, type TreeServer } from './tree-server.testkit.ts'

const refusal = { code: 'server.internal', text: 'failed' } as const

describe('checks', () => {
  test('§4 Tree: checking a node also checks all its ancestors and all its descendants; unchecking its descendants', async () => {
    startTreeServer()
    const view = await openTree()
    await expand(view, '城东区域', '东苑换热站', '东苑小区', '一号楼')
    await findRow('3单元')
    await clickCheck(view, '一号楼')
    for (const name of ['一号楼', '1单元', '3单元']) await expectState(name, 'checked', 'true')
    for (const name of ['二网监控平台', '和源热力集团', '城东区域', '东苑小区'])
      await expectState(name, 'checked', 'mixed')
    expect(stateOf('二号楼', 'checked')).toBe('false')
    await clickCheck(view, '一号楼')
    await expectState('1单元', 'checked', 'false')
    // They stay checked, as the specification says, but nothing below them is: they do not look partly chosen.
    for (const name of ['二网监控平台', '和源热力集团', '城东区域', '东苑小区'])
      await expectState(name, 'checked', 'false')
    await clickCheck(view, '东苑小区')
    for (const name of ['东苑小区', '一号楼', '二号楼']) await expectState(name, 'checked', 'true')
  })

  test('§4 Tree: about 0.4 s after a check change the checked nodes are published: pages show them', async () => {
    startTreeServer()
    const view = await openTree()
    await expand(view, '城东区域', '东苑换热站', '东苑小区')
    await findRow('一号楼')
    expect(pageText()).toBe('全部')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.click(partOf('一号楼', 'check'))
    act(() => void vi.advanceTimersByTime(399))
    expect(pageText()).toBe('全部')
    act(() => void vi.advanceTimersByTime(1))
    expect(pageText()).toBe('一号楼')
    fireEvent.click(partOf('二号楼', 'check'))
    act(() => void vi.advanceTimersByTime(400))
    expect(pageText()).toBe('一号楼,二号楼')
  })

  test('§4 Tree: clicking a node makes it current', async () => {
    startTreeServer()
    const view = await openTree()
    await expand(view, '城东区域', '东苑换热站', '东苑小区')
    await view.user.click(await findRow('一号楼'))
    await expectState('一号楼', 'selected', 'true')
    expect(document.querySelectorAll('[role="treeitem"][aria-selected="true"]')).toHaveLength(1)
    await eventually(() => expect(pageText()).toBe('一号楼'))
  })

  test('§4 Tree: children of a checked parent are checked and expanded', async () => {
    startTreeServer()
    const view = await openTree()
    await expand(view, '城东区域', '东苑换热站')
    await findRow('东苑小区')
    await clickCheck(view, '东苑小区')
    await view.user.click(partOf('东苑小区', 'toggle'))
    await findRow('1单元')
    await expectState('1单元', 'checked', 'true')
    await expectState('一号楼', 'expanded', 'true')
  })
})

describe('restored after a reload of the page', () => {
  test('§4 Tree: checked and expanded nodes are restored after a reload, but not for another user', async () => {
    startTreeServer()
    const view = await openTree()
    await expand(view, '城东区域', '东苑换热站', '东苑小区')
    await findRow('一号楼')
    await clickCheck(view, '一号楼')
    await eventually(() => expect(pageText()).toBe('一号楼'))
    leavePage(view)

    const again = await openTree()
    await findRow('一号楼')
    await expectState('一号楼', 'checked', 'true')
    await expectState('东苑小区', 'expanded', 'true')
    await eventually(() => expect(pageText()).toBe('一号楼'))
    await findRow('五号楼')
    leavePage(again)

    await openTree({ userId: 8 })
    await expectState('城东区域', 'checked', 'false')
    expect(listRows('一号楼')).toEqual([])
    expect(pageText()).toBe('全部')
  })

  test('nodes that the user expands and checks after a failed start are restored', async () => {
    const { api, recover } = startTreeServer()
    api.refuse(getDevGroups, refusal)
    const view = await renderTree()
    await screen.findByText('加载失败，重试')
    recover()
    await view.user.click(partOf('和源热力集团', 'toggle'))
    await expand(view, '和源热力集团', '和源城区供热公司')
    await findRow('城西区域')
    await clickCheck(view, '城西区域')
    leavePage(view)

    await openTree()
    await expectState('城西区域', 'checked', 'true')
    await expectState('和源城区供热公司', 'expanded', 'true')
  })

  test('a first load that was interrupted by leaving the page is repeated and not restored as a closed tree', async () => {
    const { api, recover } = startTreeServer()
    api.stall(getDevGroups)
    const view = await renderTree()
    await eventually(() => expect(api.calls(getDevGroups)).toHaveLength(1))
    leavePage(view)
    expect(api.calls(queryProjectList)).toHaveLength(1)
    recover()
    await openTree()
    expect(getRow('城东区域')).toBeTruthy()
    expect(api.calls(queryProjectList)).toHaveLength(2)
  })

  test('a checked node that is removed during a reload of the page is not selected afterwards', async () => {
    const { company } = startTreeServer()
    const view = await openTree()
    await expand(view, '城东区域', '东苑换热站', '东苑小区')
    await findRow('一号楼')
    await clickCheck(view, '一号楼')
    await eventually(() => expect(pageText()).toBe('一号楼'))
    await view.user.click(partOf('城东区域', 'toggle'))
    leavePage(view)
    expect(Object.values(sessionStorage).join()).toContain('一号楼')

    company.users = company.users.filter(({ name }) => name !== '一号楼')
    await renderTree()
    expect(await screen.findByTestId('selection-gone', {}, { timeout: 10_000 })).toBeTruthy()
    expect(listRows('东苑换热站')).toEqual([])
  })
})

describe('a removed selection', () => {
  function removeFirstBuilding({ company }: TreeServer): void {
    company.users = company.users.filter(({ name }) => name !== '一号楼')
  }

  test.each([
    ['checked', 21, () => partOf('一号楼', 'check')],
    ['current', 22, () => getRow('一号楼')],
  ] as const)(
    'when the only %s node is removed, pages show no data and the reason, until the user chooses all',
    async (_, userId, toTarget) => {
      const server = startTreeServer()
      const live = await connectLive()
      // A separate user, because the tree of the previous test may be stored late and would be restored here.
      const view = await openTree({ userId })
      await expand(view, '城东区域', '东苑换热站', '东苑小区')
      await findRow('一号楼')
      await expectState('一号楼', 'checked', 'false')
      await view.user.click(toTarget())
      await eventually(() => expect(pageText()).toBe('一号楼'))

      removeFirstBuilding(server)
      live.send({ type: 'structure', parents: [townKeys.eastArea] })
      expect(await screen.findByTestId('selection-gone', {}, { timeout: 10_000 })).toBeTruthy()
      expect(screen.getByTestId('tree-selection').textContent).toBe('所选节点已不存在')
      expect(pageText()).toBeUndefined()
      expect(listNotices()).toContainEqual({ level: 'warning', text: '所选节点已不存在', durationS: 3 })

      await view.user.click(screen.getByRole('button', { name: '显示全部' }))
      await eventually(() => expect(pageText()).toBe('全部'))
    },
  )
})
