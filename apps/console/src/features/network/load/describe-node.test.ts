import { ROOT_NODE } from '@isotherm/tree/tree'
import { beforeAll, expect, test } from 'vitest'
import { createCompany, UUID_A, UUID_TEST, vauser } from '../lists/list-samples.testkit.ts'
import { describeNode, toCompanyChain, toSelected } from './describe-node.ts'
import { createLoadedTree } from './tree-samples.testkit.ts'

const company = createCompany()
company.users.push(vauser(UUID_TEST, '测试', [], '1,2,3,4,6', true))
const { tree, open, at } = createLoadedTree(company)
beforeAll(() => open('-1', '1', '2', '3', '4', '5', `${UUID_TEST}@5`))

test('§3 Tree levels: the root is level 0 and its id -1', () => {
  expect(describeNode(tree, ROOT_NODE)).toMatchObject({
    id: '-1',
    pid: undefined,
    level: 0,
    dec: 'root',
    parentids: '',
    nestaddr: undefined,
    projectid: undefined,
  })
})

test('§3 Tree node fields of a group: parentids are ancestor ids, nestaddr ancestor names, comma-joined', () => {
  expect(describeNode(tree, at('5'))).toMatchObject({
    id: '5',
    pid: '4',
    parentid: '4',
    label: '小区甲',
    dec: 'residentialArea',
    parentids: '1,2,3,4',
    projectid: 1,
    nestaddr: '热力集团,公司,城东,换热站,小区甲',
    level: 5,
    nodetype: 'group',
    childrens: [UUID_A, UUID_TEST],
  })
})

test('§3 Tree node fields at lower levels: nodetype, address, user, userpids, userdevaddr, addrlist', () => {
  expect(describeNode(tree, at(`${UUID_A}-L2-1单元-101`))).toMatchObject({
    id: `${UUID_A}-L2-1单元-101`,
    pid: `${UUID_A}-L1-1单元`,
    parentids: `1,2,3,4,5,${UUID_A},${UUID_A}-L1-1单元`,
    level: 8,
    nodetype: 'addr',
    address: '1单元-101',
    user: UUID_A,
    userpids: '1,2,3,4,5',
    userdevaddr: '热力集团,公司,城东,换热站,小区甲,十号楼,1单元,101',
    addrlist: ['1单元-101', '1单元-102'],
  })
})

test('§3 Each has address sub-levels: level label 级联地址', () => {
  expect(describeNode(tree, at(`${UUID_A}-L1-1单元`)).dec).toBe('address')
  expect(describeNode(tree, at(UUID_A)).dec).toBe('building')
})

test('the test-marked user below an area has its uuid as server key', () => {
  expect(describeNode(tree, at(`${UUID_TEST}@5-L2-1单元-101`))).toMatchObject({
    id: `${UUID_TEST}-L2-1单元-101`,
    user: UUID_TEST,
  })
  expect(toSelected(tree, at(`${UUID_TEST}@5`)).key).toBe(UUID_TEST)
})

test('the company of a node is the level-2 node above or at it', () => {
  expect(['2', '5', UUID_A].map((key) => toCompanyChain(tree, at(key)))).toEqual(['1,2', '1,2', '1,2'])
})
