import { parseNodeKey } from '@isotherm/contract/tree'
import { expect, test } from 'vitest'
import { toSubUserNodes } from './build-nodes.ts'
import { group, groupNodes, sampleTree, UUID_A, UUID_B, UUID_TEST, vauser } from './tree-samples.testkit.ts'

const area = sampleTree.nodes.get('5')
if (!area) throw new Error('the sample has no area 5')

test('groups know their ancestors by id and by name', () => {
  expect(groupNodes.map((node) => [node.key, node.level, node.parentids, node.nestaddr])).toEqual([
    ['2', 2, '1', '热力集团,公司'],
    ['3', 3, '1,2', '热力集团,公司,城东'],
    ['4', 4, '1,2,3', '热力集团,公司,城东,换热站'],
    ['5', 5, '1,2,3,4', '热力集团,公司,城东,换热站,小区甲'],
    ['6', 5, '1,2,3,4', '热力集团,公司,城东,换热站,小区乙'],
  ])
  expect(group(7, 5, 'x').projectId).toBe(1)
})

test('an area has the sub-users whose pids are its own chain, by name with numerals by value', () => {
  const nodes = toSubUserNodes(area, [
    vauser(UUID_A, '十号楼', []),
    vauser(UUID_B, '2号楼', []),
    vauser('00000000-0000-4000-8000-00000000000c', '一号楼', [], '1,2,3,4,6'),
  ])
  expect(nodes.map((node) => node.label)).toEqual(['2号楼', '十号楼'])
  expect(nodes.every((node) => node.level === 6 && node.parent === '5')).toBe(true)
})

test('addresses become a level for each part, with the keys of the contract', () => {
  const nodes = toSubUserNodes(area, [vauser(UUID_A, '1号楼', ['2单元-301', '1单元-1002', '1单元-201'])])
  const addresses = nodes.slice(1)
  expect(addresses.map((node) => [node.label, node.level])).toEqual([
    ['1单元', 7],
    ['201', 8],
    ['1002', 8],
    ['2单元', 7],
    ['301', 8],
  ])
  expect(addresses.map((node) => parseNodeKey(node.node).kind)).toEqual(Array(5).fill('address'))
  expect(addresses[1]?.node).toBe(`${UUID_A}-L2-1单元-201`)
  expect(addresses[1]?.parent).toBe(`${UUID_A}-L1-1单元`)
  expect(addresses[1]?.nestaddr).toBe('热力集团,公司,城东,换热站,小区甲,1号楼,1单元,201')
})

test('the sub-user marked for testing stands last in every area, with the addresses of all', () => {
  const all = [
    vauser(UUID_TEST, '测试', [], '1,2,3,4,6', true),
    vauser(UUID_A, '1号楼', ['1单元-101']),
    vauser(UUID_B, '2号楼', ['1单元-101', '2单元-201']),
  ]
  const nodes = toSubUserNodes(area, all)
  const marked = nodes.findIndex((node) => node.node === UUID_TEST)
  expect(nodes.slice(marked).map((node) => node.label)).toEqual(['测试', '1单元', '101', '2单元', '201'])
  expect(nodes[marked]?.key).toBe(`${UUID_TEST}@5`)
})
