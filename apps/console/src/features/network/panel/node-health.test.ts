import type { NodeHealth } from '@isotherm/contract/endpoints/network/tree'
import { expect, test } from 'vitest'
import { createCompany, project, UUID_TEST, vauser } from '../lists/list-samples.testkit.ts'
import { createLoadedTree } from '../load/tree-samples.testkit.ts'
import { MAX_REQUESTED, mergeHealth, toServerKeys } from './node-health.ts'

const health = (node: string, devCount = 1): NodeHealth => ({
  node,
  health: 'good',
  devCount,
  silentCount: 0,
  unknownCount: 0,
  badCount: 0,
})

test('nodes are requested by their server key, the test-marked user once for all its rows', async () => {
  const company = createCompany()
  company.users.push(vauser(UUID_TEST, '测试', [], '1,2,3,4,5', true))
  const { tree, open, at } = createLoadedTree(company)
  await open('-1', '1', '2', '3', '4', '5', '6')
  expect(toServerKeys(tree, [at(`${UUID_TEST}@6`), at('5'), at(`${UUID_TEST}@5`)])).toEqual([UUID_TEST, '5'])
})

test('a request has at most as many nodes as the contract allows', async () => {
  const company = createCompany()
  company.projects = Array.from({ length: 700 }, (_, id) => project(id + 1, 'p'))
  const { tree, open } = createLoadedTree(company)
  await open('-1')
  expect(toServerKeys(tree, tree.children(0))).toHaveLength(MAX_REQUESTED)
})

test('an answer replaces the older one, and the oldest answers are dropped when there are too many', () => {
  const first = mergeHealth(new Map(), [health('1'), health('2')])
  expect(mergeHealth(first, [health('1', 7)]).get('1')?.devCount).toBe(7)
  const many = mergeHealth(
    first,
    Array.from({ length: 5_000 }, (_, index) => health(`x${index}`)),
  )
  expect(many.size).toBe(5_000)
  expect(many.has('1')).toBe(false)
  expect(many.has('x4999')).toBe(true)
})
