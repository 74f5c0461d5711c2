import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearTreeSelection, showEverything, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { toProjectList } from '../lists/build-lists.ts'
import { project } from '../lists/list-samples.testkit.ts'
import { createPublisher } from './publisher.ts'

beforeEach(() => {
  vi.useFakeTimers()
  clearTreeSelection()
})
afterEach(() => vi.useRealTimers())

function createChecked() {
  const { tree } = useTreeSelection.getState()
  const publisher = createPublisher(tree)
  tree.put(0, toProjectList(['甲', '乙', '丙'].map((name, index) => project(index + 1, name))), true)
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

test('an unchanged list of covering nodes stays the same object, so that pages fetch nothing', () => {
  const { publisher, check, read } = createChecked()
  check('1')
  publisher.now()
  const before = read().covering
  publisher.now()
  expect(read().covering).toBe(before)
})

test('a removed node is skipped', () => {
  const { tree, publisher, check, read } = createChecked()
  check('1')
  check('2')
  publisher.now()
  tree.remove(tree.find('1') ?? 0)
  expect([...read().published].map(({ key }) => key)).toEqual(['2'])
})

test('§4 Tree: checked and expanded nodes are in a shared store, so that other pages can restore them', () => {
  const { check, publisher, read } = createChecked()
  check('2')
  const stored = read().tree.state()
  check('2', false)
  check('3')
  read().tree.restore(stored)
  publisher.now()
  expect(read().covering).toEqual(['2'])
})

test('when the only checked node is removed, the selection is gone, not everything selected', () => {
  const { tree, publisher, check, read } = createChecked()
  check('1')
  publisher.now()
  tree.remove(tree.find('1') ?? 0)
  publisher.ensure()
  vi.advanceTimersByTime(400)
  expect(read()).toMatchObject({ covering: [], gone: true })
  publisher.ensure()
  vi.advanceTimersByTime(400)
  expect(read().gone).toBe(true)
  check('2')
  vi.advanceTimersByTime(400)
  expect(read()).toMatchObject({ covering: ['2'], gone: false })
})

test('a node that is removed before its check is published leaves a selection that is gone', () => {
  const { tree, publisher, check, read } = createChecked()
  check('1')
  vi.advanceTimersByTime(399)
  tree.remove(tree.find('1') ?? 0)
  publisher.ensure()
  vi.advanceTimersByTime(1)
  expect(read()).toMatchObject({ covering: [], gone: true })
})

test('when the user unchecks the only checked node, everything is selected', () => {
  const { publisher, check, read } = createChecked()
  check('1')
  publisher.now()
  check('1', false)
  vi.advanceTimersByTime(400)
  expect(read()).toMatchObject({ covering: [], gone: false })
})

test('while nodes move nothing is published; a due publication follows right after', () => {
  const { tree, publisher, check, read } = createChecked()
  check('1')
  publisher.now()
  publisher.hold()
  tree.remove(tree.find('1') ?? 0)
  publisher.ensure()
  vi.advanceTimersByTime(5_000)
  expect(read()).toMatchObject({ covering: ['1'], gone: false })
  tree.put(0, toProjectList([project(1, '甲')]), false)
  publisher.release()
  expect(read()).toMatchObject({ covering: ['1'], gone: false })
})

test('a tree that is no longer the user’s publishes nothing', () => {
  const { check, read } = createChecked()
  check('1')
  clearTreeSelection()
  vi.advanceTimersByTime(1_000)
  expect(read().covering).toEqual([])
})

test('a page that shows everything unchecks all at once, and the selection is not gone', () => {
  const { tree, publisher, check, read } = createChecked()
  tree.subscribe(publisher.ensure)
  check('1')
  vi.advanceTimersByTime(400)
  expect(read().covering).toEqual(['1'])
  showEverything()
  const everything = { covering: [], gone: false, published: { count: 0 } }
  expect(read()).toMatchObject(everything)
  expect(tree.checked()).toEqual([])
  vi.advanceTimersByTime(400)
  expect(read()).toMatchObject(everything)
})
