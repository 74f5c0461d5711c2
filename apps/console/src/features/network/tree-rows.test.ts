import { expect, test } from 'vitest'
import { toKeyAction } from './tree-keys.ts'
import { findNodes, toRows } from './tree-rows.ts'
import { sampleTree } from './tree-samples.testkit.ts'

const toKeys = (expanded: readonly string[], keyword = '') =>
  toRows(sampleTree, { expanded: new Set(expanded), found: findNodes(sampleTree, keyword) }).map(
    (row) => row.node.key,
  )

test('only what stands in open branches is a row', () => {
  expect(toKeys([])).toEqual(['-1'])
  expect(toKeys(['-1', '1', '2'])).toEqual(['-1', '1', '2', '3'])
  expect(toKeys(['-1', '2'])).toEqual(['-1', '1'])
})

test('a search shows the matches and what leads to them, opened, without their siblings', () => {
  expect(toKeys([], '小区乙')).toEqual(['-1', '1', '2', '3', '4', '6'])
  expect(toKeys([], '不存在')).toEqual(['-1'])
  expect(findNodes(sampleTree, '  ')).toBeUndefined()
})

test('below a match everything can be opened', () => {
  expect(toKeys(['4'], '换热站')).toEqual(['-1', '1', '2', '3', '4', '5', '6'])
})

test('rows say their position among the siblings that are shown', () => {
  const rows = toRows(sampleTree, { expanded: new Set(['-1', '1', '2', '3', '4']), found: undefined })
  expect(rows.at(-1)).toMatchObject({ position: 2, siblings: 2 })
})

test('arrows move, open and close as in the ARIA tree pattern', () => {
  const rows = toRows(sampleTree, { expanded: new Set(['-1', '1']), found: undefined })
  expect(toKeyAction('ArrowDown', rows, 0)).toEqual({ kind: 'move', index: 1 })
  expect(toKeyAction('ArrowUp', rows, 0)).toEqual({ kind: 'move', index: 0 })
  expect(toKeyAction('End', rows, 0)).toEqual({ kind: 'move', index: 2 })
  expect(toKeyAction('ArrowRight', rows, 1)).toEqual({ kind: 'move', index: 2 })
  expect(toKeyAction('ArrowRight', rows, 2)).toEqual({ kind: 'open' })
  expect(toKeyAction('ArrowLeft', rows, 1)).toEqual({ kind: 'close' })
  expect(toKeyAction('ArrowLeft', rows, 2)).toEqual({ kind: 'move', index: 1 })
  expect(toKeyAction(' ', rows, 2)).toEqual({ kind: 'check' })
  expect(toKeyAction('Enter', rows, 2)).toEqual({ kind: 'choose' })
  expect(toKeyAction('a', rows, 2)).toBeUndefined()
})
