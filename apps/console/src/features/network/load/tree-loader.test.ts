import { ROOT_NODE } from '@isotherm/tree/tree'
import { describe, expect, test } from 'vitest'
import {
  createCompany,
  group,
  project,
  UUID_A,
  UUID_B,
  UUID_TEST,
  vauser,
} from '../lists/list-samples.testkit.ts'
import { describeNode } from './describe-node.ts'
import { createLoadedTree, keysBelow } from './tree-samples.testkit.ts'

const refuse = () => Promise.reject(new Error('offline'))

describe('§4 Tree: lazy load by level', () => {
  test('level 0 loads all projects, §9 in pages of 20 until the total is reached', async () => {
    const company = createCompany()
    company.projects = Array.from({ length: 45 }, (_, index) => project(index + 1, `集团${index + 1}`))
    const { tree, requests, open } = createLoadedTree(company)
    await open('-1')
    expect(requests).toEqual(['projects 1 20', 'projects 2 20', 'projects 3 20'])
    expect(tree.children(ROOT_NODE)).toHaveLength(45)
    expect(tree.isComplete(ROOT_NODE)).toBe(true)
  })

  test('a total that the pages never reach does not cause endless requests', async () => {
    const { tree, open } = createLoadedTree(createCompany(), {
      listProjects: async () => ({ list: [], total: 45 }),
    })
    await open('-1')
    expect(tree.count()).toBe(1)
  })

  test('level 1 loads all groups in one call; levels 3 and 4 need no other call', async () => {
    const { tree, requests, open, at } = createLoadedTree()
    await open('-1', '1')
    expect(requests).toEqual(['projects 1 20', 'groups 1'])
    expect(keysBelow(tree, at('4'))).toEqual(['5', '6'])
    requests.length = 0
    await open('3', '4')
    expect(requests).toEqual([])
    expect(tree.isComplete(at('5'))).toBe(false)
  })

  test('level 2 loads the sub-user and address lists once, whichever areas are opened after it', async () => {
    const { requests, open, tree, at } = createLoadedTree()
    await open('-1', '1', '2', '3', '4', '5', '6')
    expect(requests.slice(2)).toEqual(['subdivisions 1,2', 'users 1,2'])
    tree.expand(at('2'), false)
    await open('2')
    expect(requests.filter((each) => each.startsWith('users'))).toHaveLength(1)
  })

  test('level 5 builds the sub-user nodes, and levels up to 9 show nodes that were loaded with them', async () => {
    const { tree, requests, open, at } = createLoadedTree()
    await open('-1', '1', '2', '3', '4', '5')
    expect(keysBelow(tree, at('5'))).toEqual([UUID_A])
    expect(tree.sizeOf(at('5'))).toBe(5)
    requests.length = 0
    await open(UUID_A, `${UUID_A}-L1-1单元`)
    expect(requests).toEqual([])
    expect(keysBelow(tree, at(`${UUID_A}-L1-1单元`))).toEqual([
      `${UUID_A}-L2-1单元-101`,
      `${UUID_A}-L2-1单元-102`,
    ])
    expect(tree.isLeaf(at(`${UUID_A}-L2-1单元-101`))).toBe(true)
  })

  test('loading stops at level 10: a node there sends no request', async () => {
    const company = createCompany()
    company.groups = [group(2, 10, '深处')]
    const { requests, open } = createLoadedTree(company)
    await open('-1', '1')
    requests.length = 0
    await open('2')
    expect(requests).toEqual([])
  })

  test('the test-marked user gets the union of all addresses when it is opened', async () => {
    const company = createCompany()
    company.users.push(vauser(UUID_TEST, '测试', [], '1,2,3,4,5', true))
    const { tree, open, at } = createLoadedTree(company)
    await open('-1', '1', '2', '3', '4', '5', '6')
    expect(keysBelow(tree, at('5')).at(-1)).toBe(`${UUID_TEST}@5`)
    expect(keysBelow(tree, at('6')).at(-1)).toBe(`${UUID_TEST}@6`)
    await open(`${UUID_TEST}@6`)
    expect(keysBelow(tree, at(`${UUID_TEST}@6-L1-1单元`)).map((key) => key.slice(-3))).toEqual([
      '101',
      '102',
      '201',
    ])
  })

  test('a sub-user that is listed twice fails one area, and the rest of the tree still loads', async () => {
    const company = createCompany()
    company.users.push(vauser(UUID_A, '十号楼', []))
    const { tree, warnings, open, at } = createLoadedTree(company)
    await open('-1', '1', '2', '3', '4', '5')
    expect(warnings).toEqual(['subUsersFailed'])
    await open('6')
    expect(keysBelow(tree, at('6'))).toEqual([UUID_B])
  })

  test('a node that is opened twice while it loads is fetched once', async () => {
    const { requests, loader, open, at } = createLoadedTree()
    await open('-1')
    await Promise.all([loader.open(at('1')), loader.open(at('1'))])
    expect(requests.filter((each) => each === 'groups 1')).toHaveLength(1)
  })

  test('at most 4 calls run at the same time', async () => {
    const company = createCompany()
    company.projects = Array.from({ length: 12 }, (_, index) => project(index + 1, `集团${index + 1}`))
    let running = 0
    let most = 0
    const { loader, open, tree } = createLoadedTree(company, {
      listGroups: async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return []
      },
    })
    await open('-1')
    await loader.openAll(ROOT_NODE)
    expect(most).toBe(4)
    expect(tree.children(ROOT_NODE).every((node) => tree.isLeaf(node))).toBe(true)
  })

  test('the loading nodes are reported', async () => {
    const { busy, open } = createLoadedTree()
    await open('-1')
    expect(busy).toEqual([['-1'], []])
  })
})

describe('§4 Tree: children of a checked parent are checked and expanded', () => {
  test('and the expanded nodes are loaded too', async () => {
    const { tree, open, at } = createLoadedTree()
    await open('-1')
    tree.check(at('1'), true)
    await open('1')
    for (const key of ['2', '5', '6', UUID_A, UUID_B, `${UUID_A}-L2-1单元-101`]) {
      expect([tree.isChecked(at(key)), tree.isExpanded(at(key))], key).toEqual([true, true])
    }
  })

  test('but the test-marked user, with the addresses of the whole company, opens only by a user', async () => {
    const company = createCompany()
    company.users.push(vauser(UUID_TEST, '测试', [], '1,2,3,4,5', true))
    const { tree, loader, open, at } = createLoadedTree(company)
    await open('-1')
    tree.check(at('1'), true)
    await open('1')
    for (const area of ['5', '6']) {
      const row = at(`${UUID_TEST}@${area}`)
      expect([tree.isChecked(row), tree.isExpanded(row), tree.sizeOf(row)]).toEqual([true, false, 1])
    }
    await open(`${UUID_TEST}@5`)
    expect(tree.sizeOf(at(`${UUID_TEST}@5`))).toBe(5)
    await loader.load(at('5'), { fresh: true })
    expect(tree.isExpanded(at(`${UUID_TEST}@5`))).toBe(true)
    expect(tree.sizeOf(at(`${UUID_TEST}@6`))).toBe(1)
  })

  test('a parent that is checked only because of a child does not check new siblings of that child', async () => {
    const { tree, open, at } = createLoadedTree()
    await open('-1', '1', '2', '3', '4', '5')
    tree.check(at(UUID_A), true)
    await open('6')
    expect(tree.isChecked(at('4'))).toBe(true)
    expect(tree.isChecked(at(UUID_B))).toBe(false)
    expect(tree.covering()).toEqual([at('5')])
  })
})

describe('§4 Tree: subdivisions of type s', () => {
  test('about 1 s after a level-2 load they are collapsed and leave the expanded list', async () => {
    const company = createCompany()
    company.subdivisions = [
      { sid: '4', psids: '1,2,3', stype: 's', version: 1, abilities: [] },
      { sid: '3', psids: '1,2', stype: 'x', version: 1, abilities: [] },
    ]
    const { tree, loader, timers, open, at } = createLoadedTree(company)
    await open('-1', '1', '2', '3', '4')
    await Promise.resolve()
    expect(describeNode(tree, at('3'), loader.stypes).stype).toBe('x')
    expect(timers.map(({ ms }) => ms)).toEqual([1_000])
    expect(tree.isExpanded(at('4'))).toBe(true)
    for (const { run } of timers) run()
    expect(tree.isExpanded(at('4'))).toBe(false)
    expect(tree.isExpanded(at('3'))).toBe(true)
    expect(tree.state().expanded).not.toContain('4')
  })
})

describe('§8 Error catalogue', () => {
  test('project fetch failed: the tree load aborts', async () => {
    const { loader, warnings, tree } = createLoadedTree(createCompany(), { listProjects: refuse })
    await expect(loader.load(ROOT_NODE)).rejects.toThrow('offline')
    expect(warnings).toEqual([])
    expect(tree.isComplete(ROOT_NODE)).toBe(false)
  })

  test('group fetch failed: a warning, and the node may be opened again', async () => {
    let calls = 0
    const { tree, warnings, lost, open, at } = createLoadedTree(createCompany(), {
      listGroups: async () => {
        calls += 1
        if (calls === 1) throw new Error('offline')
        return createCompany().groups
      },
    })
    await open('-1', '1')
    expect(warnings).toEqual(['groupsFailed'])
    expect(tree.isComplete(at('1'))).toBe(false)
    expect(lost).toEqual([['1']])
    await open('1')
    expect(keysBelow(tree, at('1'))).toEqual(['2'])
    expect(lost).toEqual([['1'], []])
  })

  test('sub-user address fetch failed at level 2: a separate warning', async () => {
    const { warnings, open } = createLoadedTree(createCompany(), { listSubdivisions: refuse })
    await open('-1', '1', '2')
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings).toEqual(['addressesFailed'])
  })

  test('sub-user fetch failed at level 5: a warning, and the area may be opened again', async () => {
    let calls = 0
    const { tree, warnings, open, at } = createLoadedTree(createCompany(), {
      listSubUsers: async () => {
        calls += 1
        if (calls === 1) throw new Error('offline')
        return createCompany().users
      },
    })
    await open('-1', '1', '3', '4', '5')
    expect(warnings).toEqual(['subUsersFailed'])
    await open('5')
    expect(keysBelow(tree, at('5'))).toEqual([UUID_A])
  })
})

describe('expanding all below a node', () => {
  test('opens and loads all levels, but not the test-marked users', async () => {
    const company = createCompany()
    company.users.push(vauser(UUID_TEST, '测试', [], '1,2,3,4,5', true))
    const { tree, loader, at, open } = createLoadedTree(company)
    await open('-1')
    await loader.openAll(at('1'))
    expect(tree.isExpanded(at(`${UUID_B}-L1-1单元`))).toBe(true)
    expect(tree.isExpanded(at(`${UUID_TEST}@5`))).toBe(false)
  })
})

test('a long list is built with pauses, so that the browser stays responsive', async () => {
  const company = createCompany()
  company.users = [
    vauser(
      UUID_A,
      '一号楼',
      Array.from({ length: 20_000 }, (_, index) => `${index % 90}单元-${index}`),
    ),
  ]
  let clock = 0
  let pauses = 0
  const { tree, open, at } = createLoadedTree(
    company,
    {},
    {
      now() {
        clock += 6
        return clock
      },
      async pause() {
        pauses += 1
      },
    },
  )
  await open('-1', '1', '2', '3', '4')
  pauses = 0
  await open('5')
  expect(tree.sizeOf(at(UUID_A))).toBe(20_091)
  expect(pauses).toBeGreaterThan(15)
})

test('a list that arrives after the tree was closed is dropped', async () => {
  const { tree, loader } = createLoadedTree()
  const loading = loader.load(ROOT_NODE)
  loader.close()
  await loading
  expect(tree.count()).toBe(1)
})
