import type { TreeStep } from '@isotherm/contract/endpoints/network/tree'
import { expect, test } from 'vitest'
import { createCompany, UUID_A, UUID_B, UUID_TEST, vauser } from '../lists/list-samples.testkit.ts'
import { createLoadedTree, keysBelow } from '../load/tree-samples.testkit.ts'
import { putHit } from './put-hit.ts'

const steps = [
  { node: '1', label: '热力集团', level: 1, nodetype: 'project' },
  { node: '2', label: '公司', level: 2, nodetype: 'group' },
  { node: '3', label: '城东', level: 3, nodetype: 'group' },
  { node: '4', label: '换热站', level: 4, nodetype: 'group' },
  { node: '5', label: '小区甲', level: 5, nodetype: 'group' },
] as const
const hit = (uuid: string): readonly TreeStep[] => [
  ...steps,
  { node: uuid, label: '十号楼', level: 6, nodetype: 'user' },
]

test('a hit is added with its ancestors, opened, and nothing is loaded', () => {
  const { tree, requests, at } = createLoadedTree()
  expect(putHit(tree, hit(UUID_A))).toBe(UUID_A)
  expect(requests).toEqual([])
  expect(tree.chain(at(UUID_A)).map((node) => tree.view(node).key)).toEqual([
    '-1',
    '1',
    '2',
    '3',
    '4',
    '5',
    UUID_A,
  ])
  expect(tree.rows().indexOf(at(UUID_A))).toBe(6)
  expect(tree.isComplete(at('5'))).toBe(false)
})

test('loaded nodes stay unchanged, and the others are added in order when they are loaded', async () => {
  const { tree, loader, open, at } = createLoadedTree()
  putHit(tree, hit(UUID_A))
  tree.check(at(UUID_A), true)
  await open('-1', '1')
  expect(keysBelow(tree, at('4'))).toEqual(['5', '6'])
  expect(keysBelow(tree, at('5'))).toEqual([UUID_A])
  await loader.load(at('5'))
  expect(tree.isComplete(at('5'))).toBe(true)
  expect(tree.isChecked(at(UUID_A))).toBe(true)
  expect(tree.sizeOf(at(UUID_A))).toBe(4)
})

test('§4 Tree: children of a checked parent are checked: so is a hit revealed below one', () => {
  const { tree, at } = createLoadedTree()
  putHit(tree, hit(UUID_A))
  tree.check(at('5'), true)
  putHit(tree, hit(UUID_B))
  expect(tree.isChecked(at(UUID_B))).toBe(true)
  tree.check(at('5'), false)
  tree.check(at(UUID_A), true)
  tree.remove(at(UUID_B))
  putHit(tree, hit(UUID_B))
  expect(tree.isChecked(at(UUID_B))).toBe(false)
})

test('a hit on the test-marked user uses its row below the area, if it exists', async () => {
  const company = createCompany()
  company.users.push(vauser(UUID_TEST, '测试', [], '1,2,3,4,5', true))
  const { tree, open, at } = createLoadedTree(company)
  await open('-1', '1', '2', '3', '4', '5')
  const before = tree.count()
  expect(putHit(tree, hit(UUID_TEST))).toBe(`${UUID_TEST}@5`)
  expect(tree.count()).toBe(before)
  expect(tree.isExpanded(at('5'))).toBe(true)
})
