import { expect, test } from 'vitest'
import { toSubUserNodes } from './build-nodes.ts'
import { childrenOf, dropBelow, isBranch, listAbove, listBelow, putChildren } from './tree-model.ts'
import { sampleTree, UUID_A, vauser } from './tree-samples.testkit.ts'

const area = sampleTree.nodes.get('5')
if (!area) throw new Error('the sample has no area 5')
const full = putChildren(sampleTree, '5', toSubUserNodes(area, [vauser(UUID_A, '1号楼', ['1单元-101'])]))

test('nodes put below a parent stand in their order at every level', () => {
  expect(childrenOf(sampleTree, '-1')).toEqual(['1'])
  expect(childrenOf(sampleTree, '4')).toEqual(['5', '6'])
  expect(listBelow(sampleTree, '3')).toEqual(['4', '5', '6'])
  expect(listAbove(sampleTree, '5')).toEqual(['4', '3', '2', '1', '-1'])
})

test('a group nobody looked into can be opened, the last address cannot', () => {
  expect(isBranch(full, '6')).toBe(true)
  expect(isBranch(full, UUID_A)).toBe(true)
  expect(isBranch(full, `${UUID_A}-L2-1单元-101`)).toBe(false)
})

test('what is dropped is gone with all that is below it, and can be put again', () => {
  const dropped = dropBelow(full, '4')
  expect([...dropped.nodes.keys()]).toEqual(['-1', '1', '2', '3', '4'])
  expect(dropped.childrenOf.has(UUID_A)).toBe(false)
  expect(isBranch(dropped, '4')).toBe(true)
  const replaced = putChildren(full, '5', [])
  expect(replaced.nodes.has(UUID_A)).toBe(false)
  expect(childrenOf(replaced, '5')).toEqual([])
})

test('a change leaves the old tree as it was', () => {
  expect(sampleTree.nodes.has(UUID_A)).toBe(false)
  expect(full.nodes.has(UUID_A)).toBe(true)
})
