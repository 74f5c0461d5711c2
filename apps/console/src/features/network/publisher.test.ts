import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  clearTreeSelection,
  restoreTreeState,
  saveTreeState,
  useTreeSelection,
} from '../../shared/tree-selection.ts'
import { toProjectList } from './build-lists.ts'
import { createPublisher } from './publisher.ts'

beforeEach(() => {
  vi.useFakeTimers()
  clearTreeSelection()
})
afterEach(() => vi.useRealTimers())

function createChecked() {
  const { tree } = useTreeSelection.getState()
  const publisher = createPublisher(tree)
  tree.put(
    0,
    toProjectList(
      ['甲', '乙', '丙'].map((projectName, index) => ({ id: index + 1, projectName, groupList: [] })),
    ),
    true,
  )
  const check = (key: string, on = true) => {
    tree.check(tree.find(key) ?? 0, on)
    publisher.restart()
  }
  return { tree, publisher, check, read: () => useTreeSelection.getState() }
}

test('§4 Tree: about 0.4 s after a check change, the checked nodes that have a nestaddr are published', () => {
  const { check, read } = createChecked()
  check('1')
  vi.advanceTimersByTime(399)
  expect(read().published.count).toBe(0)
  vi.advanceTimersByTime(1)
  expect([...read().published]).toEqual([{ key: '1', label: '甲', level: 1, nestaddr: '甲' }])
  expect(read().covering).toEqual(['1'])
})

test('§9 Tree check debounce: the 0.4 s count from the last change', () => {
  const { check, read } = createChecked()
  check('1')
  vi.advanceTimersByTime(300)
  check('2')
  vi.advanceTimersByTime(300)
  expect(read().published.count).toBe(0)
  vi.advanceTimersByTime(100)
  expect([...read().published].map(({ key }) => key)).toEqual(['1', '2'])
})

test('the root has no nestaddr and is not published', () => {
  const { check, read } = createChecked()
  check('-1')
  vi.advanceTimersByTime(400)
  expect([...read().published].map(({ key }) => key)).toEqual(['1', '2', '3'])
  expect(read().published.count).toBe(3)
})

test('a list of covering nodes that did not change stays the same list, so that pages ask for nothing anew', () => {
  const { publisher, check, read } = createChecked()
  check('1')
  publisher.now()
  const before = read().covering
  publisher.now()
  expect(read().covering).toBe(before)
})

test('a node that left meanwhile is passed over', () => {
  const { tree, publisher, check, read } = createChecked()
  check('1')
  check('2')
  publisher.now()
  tree.remove(tree.find('1') ?? 0)
  expect([...read().published].map(({ key }) => key)).toEqual(['2'])
})

test('§4 Tree: checked and expanded nodes stand in a shared store, so that other pages can restore them', () => {
  const { check, publisher, read } = createChecked()
  check('2')
  const kept = saveTreeState()
  check('2', false)
  check('3')
  restoreTreeState(kept)
  publisher.now()
  expect(read().covering).toEqual(['2'])
})

test('a tree that is no longer the user’s publishes nothing', () => {
  const { check, read } = createChecked()
  check('1')
  clearTreeSelection()
  vi.advanceTimersByTime(1_000)
  expect(read().covering).toEqual([])
})
