import { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { householdHits } from './sample-town.testkit.ts'
import {
  chooseItem,
  eventually,
  expectState,
  findRow,
  focusedLabel,
  getRow,
  listRows,
  openTree,
  stateOf,
} from './tree-panel.testkit.tsx'
import { startTreeServer } from './tree-server.testkit.ts'

const getTree = () => screen.getByRole('tree')
const expectFocus = (label: string) => eventually(() => expect(focusedLabel()).toBe(label))

test('the tree is one tab stop with the keys of the ARIA tree pattern', async () => {
  startTreeServer()
  const { user } = await openTree()
  await user.click(screen.getByTestId('tree-reload'))
  await user.tab()
  expect(document.activeElement).toBe(getTree())
  await expectFocus('二网监控平台')
  await user.keyboard('{End}')
  await expectFocus('城西区域')
  await user.keyboard('{ArrowLeft}')
  await expectFocus('和源城区供热公司')
  await user.keyboard('{ArrowDown}{ArrowRight}')
  await expectState('城东区域', 'expanded', 'true')
  await user.keyboard('{ArrowRight}')
  await expectFocus('东苑换热站')
  await user.keyboard('*')
  await expectState('文化路换热站', 'expanded', 'true')
  await user.keyboard(' ')
  await expectState('东苑换热站', 'checked', 'true')
  await user.keyboard('{Enter}')
  await expectState('东苑换热站', 'selected', 'true')
  await user.keyboard('{Home}')
  await expectFocus('二网监控平台')
  expect(stateOf('文化路换热站', 'setsize')).toBe('2')
  expect(stateOf('文化路换热站', 'posinset')).toBe('2')
  expect(stateOf('文化路换热站', 'level')).toBe('5')
  expect(document.querySelectorAll('[role="tree"] [tabindex]')).toHaveLength(0)
})

test('after a click the tree has the focus, so keys work even after the row was scrolled away', async () => {
  const { company } = startTreeServer()
  const [first] = company.users
  if (!first) throw new Error('the town has no building')
  // More rows than the view and the rows rendered around it.
  first.addrlist = Array.from({ length: 200 }, (_, index) => `${index + 1}单元-101`)
  const view = await openTree()
  await chooseItem(view, '城东区域', '展开全部下级')
  await findRow('101')
  const label = (await findRow('东苑换热站')).querySelector('.tree-label')
  if (!label) throw new Error('no label')
  await view.user.click(label)
  expect(document.activeElement).toBe(getTree())
  for (let press = 0; press < 6; press += 1) await view.user.keyboard('{PageDown}')
  await eventually(() => expect(listRows('东苑换热站')).toEqual([]))
  expect(document.activeElement).toBe(getTree())
  await view.user.keyboard('{Home}')
  await expectFocus('二网监控平台')
})

test('a revealed row takes the focus once, and not each time the list is rendered again', async () => {
  const { api } = startTreeServer()
  api.answer(searchTree, ({ text }) => ({
    datalist: text === '5-2-301' ? [...householdHits] : [],
    more: false,
  }))
  const { user } = await openTree()
  const input = screen.getByTestId('tree-search')
  await user.type(input, '5-2-301')
  const [hit] = await screen.findAllByText('301', { selector: '.tree-hit *, .tree-hit' }, { timeout: 10_000 })
  if (!hit) throw new Error('no hit')
  await user.click(hit)
  await eventually(() => expect(document.activeElement).toBe(getTree()))
  await user.click(input)
  await user.keyboard('zzz')
  await eventually(() => expect(screen.queryByRole('tree')).toBeNull())
  await user.keyboard('{Backspace}{Backspace}{Backspace}')
  await screen.findByRole('tree')
  expect(getRow('城东区域')).toBeTruthy()
  expect(document.activeElement).toBe(input)
})

test('Shift+F10 opens the menu of the row, Escape returns the focus', async () => {
  startTreeServer()
  const { user } = await openTree()
  act(() => getTree().focus())
  await user.keyboard('{End}')
  await user.keyboard('{Shift>}{F10}{/Shift}')
  await screen.findByRole('menuitem', { name: '仅勾选此节点' }, { timeout: 10_000 })
  await user.keyboard('{Escape}')
  await eventually(() => expect(screen.queryByRole('menuitem', { name: '仅勾选此节点' })).toBeNull())
  expect(document.activeElement).toBe(getTree())
})
