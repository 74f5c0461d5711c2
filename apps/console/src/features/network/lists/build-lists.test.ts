import type { Vauser } from '@isotherm/contract/endpoints/network/network'
import { parseNodeKey } from '@isotherm/contract/tree'
import { compareNames } from '@isotherm/kernel/chinese-numerals'
import type { NodeList } from '@isotherm/tree/tree'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNameOrder, toAddressList } from './address-list.ts'
import { toGroupList, toProjectList, toSubUserList } from './build-lists.ts'
import {
  AREA_CHAIN,
  atOnce,
  createCompany,
  group,
  UUID_A,
  UUID_B,
  UUID_TEST,
  vauser,
} from './list-samples.testkit.ts'
import { toServerKey } from './node-keys.ts'
import { toNodeType } from './node-kinds.ts'
import { createSubUsers } from './sub-users.ts'

const area = { key: '5', level: 5 }
const listSubUsers = (of: typeof area, own: readonly Vauser[], test?: Vauser) =>
  atOnce(toSubUserList(of, own, test, createNameOrder()))
const listAddresses = (key: string, level: number, addresses: readonly string[]) =>
  atOnce(toAddressList(key, level, addresses, createNameOrder()))
const rowsOf = ({ keys, labels, levels }: NodeList) =>
  keys.map((key, index) => [key, labels[index], levels[index]])
const typesOf = ({ kinds }: NodeList) => Array.from(kinds, toNodeType)

test('§3 Tree levels: projects are at level 1, groups at the level that the server sends', () => {
  expect(rowsOf(toProjectList(createCompany().projects))).toEqual([['1', '热力集团', 1]])
  expect(rowsOf(toGroupList(createCompany().groups))).toEqual([
    ['2', '公司', 2],
    ['3', '城东', 3],
    ['4', '换热站', 4],
    ['5', '小区甲', 5],
    ['6', '小区乙', 5],
  ])
})

test('§4 Tree: level 1 reveals the groups: all groups below a station are loaded, but nothing below a residential area', () => {
  expect(toGroupList(createCompany().groups).complete).toEqual([1, 1, 1, 0, 0])
})

test('§3 Level-5 children are the sub-users whose info.pids equals the parent’s parentids plus id', () => {
  const users = createSubUsers([
    vauser(UUID_A, '1号楼', []),
    vauser(UUID_B, '2号楼', [], '1,2,3,4,6'),
    vauser('00000000-0000-4000-8000-00000000000c', '3号楼', [], '1,2,3,4'),
  ])
  expect(users.in(AREA_CHAIN).map(({ uuid }) => uuid)).toEqual([UUID_A])
  expect(users.in('1,2,3,4,6').map(({ uuid }) => uuid)).toEqual([UUID_B])
})

test('§3 Sub-users are ordered by name, after converting Chinese numerals to numbers', () => {
  const list = listSubUsers(
    area,
    ['二十三号楼', '一百零二号楼', '十号楼', '2号楼', '一号楼'].map((name, index) =>
      vauser(UUID_A.replace(/a$/, String(index)), name, []),
    ),
  )
  expect(list.labels).toEqual(['一号楼', '2号楼', '十号楼', '二十三号楼', '一百零二号楼'])
})

test('§3 Address sub-levels: nodetype addr, label = address part, id pattern {id}-L{index}-{address}', () => {
  const list = listSubUsers(area, [vauser(UUID_A, '1号楼', ['2单元-301', '1单元-1002', '1单元-201'])])
  expect(rowsOf(list)).toEqual([
    [UUID_A, '1号楼', 6],
    [`${UUID_A}-L1-1单元`, '1单元', 7],
    [`${UUID_A}-L2-1单元-201`, '201', 8],
    [`${UUID_A}-L2-1单元-1002`, '1002', 8],
    [`${UUID_A}-L1-2单元`, '2单元', 7],
    [`${UUID_A}-L2-2单元-301`, '301', 8],
  ])
  expect(typesOf(list)).toEqual(['user', 'addr', 'addr', 'addr', 'addr', 'addr'])
  expect(list.keys.slice(1).map((key) => parseNodeKey(key).kind)).toEqual(Array(5).fill('address'))
})

test('§4 Tree: loading stops at level 10: a longer address ends there', () => {
  const list = listAddresses(UUID_A, 6, ['a-b-c-d-e-f'])
  expect(list.levels).toEqual([7, 8, 9, 10])
  expect(list.labels).toEqual(['a', 'b', 'c', 'd'])
})

test('§3 A special test-marked user is always appended: last in every area, with a separate key per area', () => {
  const test = vauser(UUID_TEST, '测试', [], AREA_CHAIN, true)
  const own = [vauser(UUID_A, '1号楼', [])]
  for (const key of ['5', '6']) {
    const list = listSubUsers({ key, level: 5 }, key === '5' ? own : [], test)
    expect(list.labels.at(-1)).toBe('测试')
    expect(list.keys.at(-1)).toBe(`${UUID_TEST}@${key}`)
  }
})

test('§3 The test-marked user has the union of all address lists', () => {
  const users = createSubUsers([
    vauser(UUID_TEST, '测试', ['试验'], AREA_CHAIN, true),
    vauser(UUID_A, '1号楼', ['1单元-101']),
    vauser(UUID_B, '2号楼', ['1单元-101', '2单元-201'], '1,2,3,4,6'),
  ])
  const list = atOnce(users.listUnion(`${UUID_TEST}@5`, 6))
  expect(list.labels).toEqual(['1单元', '101', '2单元', '201', '试验'])
  expect(list.keys.map(toServerKey)).toContain(`${UUID_TEST}-L2-2单元-201`)
  expect(users.in(AREA_CHAIN).map(({ uuid }) => uuid)).toEqual([UUID_A])
})

test('the union of all address lists is computed once for all areas, and again when a list changed', () => {
  const users = createSubUsers([vauser(UUID_A, '1号楼', ['1单元-101'])])
  const first = atOnce(users.listUnion(`${UUID_TEST}@5`, 6))
  const second = atOnce(users.listUnion(`${UUID_TEST}@6`, 6))
  expect(second.labels).toBe(first.labels)
  expect(second.keys).toEqual([`${UUID_TEST}@6-L1-1单元`, `${UUID_TEST}@6-L2-1单元-101`])
  users.replace(AREA_CHAIN, [vauser(UUID_A, '1号楼', ['7单元'])])
  expect(atOnce(users.listUnion(`${UUID_TEST}@5`, 6)).labels).toEqual(['7单元'])
})

test('a group that occurs twice in a list is added once', () => {
  const list = toGroupList([group(3, 3, '城东', [group(4, 4, '站')]), group(4, 4, '站'), group(3, 3, '城东')])
  expect(list.keys).toEqual(['3', '4'])
})

const part = fc.constantFrom('1单元', '2单元', '十单元', '101', '二零一', 'A座')
const address = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('-'))

test('any addresses become a sorted tree with unique keys, each part below the one before it', () => {
  fc.assert(
    fc.property(fc.array(address, { maxLength: 30 }), (addresses) => {
      const { keys, labels, depths, levels } = listAddresses(UUID_A, 6, addresses)
      expect(new Set(keys).size).toBe(keys.length)
      const path: string[] = []
      const before: (string | undefined)[] = []
      for (const [index, key] of keys.entries()) {
        const depth = depths[index] ?? 0
        expect(depth).toBeLessThanOrEqual(path.length + 1)
        expect(levels[index]).toBe(6 + depth)
        const label = labels[index] ?? ''
        path.length = depth - 1
        const sibling = before[depth]
        if (sibling !== undefined) expect(compareNames(sibling, label)).toBeLessThanOrEqual(0)
        before.length = depth
        before[depth] = label
        path.push(label)
        expect(key).toBe(`${UUID_A}-L${depth}-${path.join('-')}`)
      }
      const expected = new Set(addresses.map((each) => each.split('-').slice(0, 4).join('-')))
      for (const each of expected) expect(keys.some((key) => key.endsWith(`-${each}`))).toBe(true)
    }),
  )
})
