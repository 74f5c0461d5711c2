import { getDevGroups, queryProjectList } from '@isotherm/contract/endpoints/network/network'
import { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { areaHit, householdHits } from './sample-town.testkit.ts'
import { eventually, findRow, getRow, listRows, openTree, stateOf } from './tree-panel.testkit.tsx'
import { startTreeServer } from './tree-server.testkit.ts'

const listHits = (): readonly Element[] => [...document.querySelectorAll('.tree-hit')]

test('filters the loaded nodes at once', async () => {
  const { api } = startTreeServer()
  api.stall(searchTree)
  const { user } = await openTree()
  const input = screen.getByTestId('tree-search')
  await user.type(input, '城西')
  await eventually(() => expect(listRows('城东区域')).toEqual([]))
  expect(getRow('城西区域').querySelector('mark')?.textContent).toBe('城西')
  await user.clear(input)
  await findRow('城东区域')
})

test('finds in the whole company and reveals the hit with its ancestors, without loading the rest', async () => {
  const { api } = startTreeServer()
  api.answer(searchTree, { datalist: [...householdHits], more: false })
  const { user } = await openTree()
  const countLoads = () => api.calls(getDevGroups).length + api.calls(queryProjectList).length
  const before = countLoads()
  const input = screen.getByTestId<HTMLInputElement>('tree-search')
  await user.type(input, '5-2-301')
  await eventually(() => expect(listHits()).toHaveLength(2))
  expect(listHits()[1]?.textContent).toContain('地址')
  await user.keyboard('{ArrowDown}{Enter}')
  await findRow('301')
  await eventually(() => expect(stateOf('301', 'selected')).toBe('true'))
  expect(document.activeElement).toBe(screen.getByRole('tree'))
  expect(input.value).toBe('')
  expect(countLoads()).toBe(before)
  expect(listRows('一号楼')).toEqual([])
  const rest = document.querySelectorAll('[data-part="rest"]')
  expect(rest).toHaveLength(1)
  for (const button of rest) await user.click(button)
  await findRow('测试用户')
  expect(document.querySelectorAll('[data-part="rest"]')).toHaveLength(0)
  expect(stateOf('301', 'selected')).toBe('true')
})

test('pinyin initials find too', async () => {
  const { api } = startTreeServer()
  api.answer(searchTree, ({ text }) => ({ datalist: text === 'dyxq' ? [areaHit] : [], more: false }))
  const { user } = await openTree()
  await user.type(screen.getByTestId('tree-search'), 'dyxq')
  await eventually(() => expect(listHits()).toHaveLength(1))
  expect(listHits()[0]?.textContent).toContain('东苑小区')
  expect(listHits()[0]?.textContent).toContain('拼音')
})
