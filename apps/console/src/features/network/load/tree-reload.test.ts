import { ROOT_NODE } from '@isotherm/tree/tree'
import { describe, expect, test } from 'vitest'
import { createCompany, group, UUID_A, UUID_B, vauser } from '../lists/list-samples.testkit.ts'
import { createTreeReloader } from './tree-reload.ts'
import { createLoadedTree, keysBelow } from './tree-samples.testkit.ts'

const UUID_C = '00000000-0000-4000-8000-00000000000c'

async function openAll() {
  const world = createLoadedTree(createCompany())
  const events: string[] = []
  const reloader = createTreeReloader(world.tree, world.loader, {
    onBegin: () => void events.push('begin'),
    onEnd: () => void events.push('end'),
  })
  await world.open('-1', '1', '2', '3', '4', '5')
  world.requests.length = 0
  return { ...world, reloader, events }
}

describe('§4 Tree: a refresh flag', () => {
  test('reloads the current node and the open nodes below it', async () => {
    const { reloader, company, requests, tree, at } = await openAll()
    company.users.push(vauser(UUID_C, '1号楼', []))
    await reloader.reload(at('4'))
    expect(requests).toEqual(['groups 1 4', 'users 1,2'])
    expect(keysBelow(tree, at('5'))).toEqual([UUID_C, UUID_A])
  })

  test('or its parent when the parent-update flag is set', async () => {
    const { reloader, requests, at } = await openAll()
    await reloader.reload(at('4'), true)
    expect(requests[0]).toBe('groups 1 3')
  })

  test('a sub-user or address is loaded again with its area', async () => {
    const { reloader, requests, at } = await openAll()
    await reloader.reload(at(`${UUID_A}-L1-1单元`))
    expect(requests).toEqual(['users 1,2,3,4,5'])
  })

  test('the root is loaded again from the projects on', async () => {
    const { reloader, requests } = await openAll()
    await reloader.reload(ROOT_NODE, true)
    expect(requests).toEqual(['projects 1 20', 'groups 1', 'users 1,2'])
  })
})

describe('structure changes by others', () => {
  test('of the changed parents, exactly the loaded ones are loaded again', async () => {
    const { reloader, requests } = await openAll()
    await reloader.reloadParents(['5', '6', '999'])
    expect(requests).toEqual(['users 1,2,3,4,5'].map((each) => expect.stringContaining(each.slice(0, 9))))
    expect(requests).toHaveLength(1)
  })

  test('groups that are loaded with a group above them are not fetched twice', async () => {
    const { reloader, requests } = await openAll()
    await reloader.reloadParents(['3', '4'])
    expect(requests).toEqual(['groups 1 3'])
  })

  test('checks, expansion and numbers stay, removed nodes are removed, new nodes are added', async () => {
    const { reloader, company, tree, at } = await openAll()
    tree.check(at('6'), true)
    const area = at('6')
    company.groups = [
      group(2, 2, '公司', [
        group(3, 3, '城东', [group(4, 4, '换热站', [group(6, 5, '小区乙改'), group(7, 5, '小区丙')])]),
      ]),
    ]
    await reloader.reloadParents(['4'])
    expect(keysBelow(tree, at('4'))).toEqual(['6', '7'])
    expect(at('6')).toBe(area)
    expect(tree.view(area).label).toBe('小区乙改')
    expect(tree.isChecked(area)).toBe(true)
    expect(tree.isExpanded(at('4'))).toBe(true)
    expect(tree.find('5')).toBeUndefined()
    expect(tree.find(UUID_A)).toBeUndefined()
  })

  test('an area that moves to another station stays checked', async () => {
    const { reloader, company, tree, at } = await openAll()
    tree.check(at('6'), true)
    company.groups = [
      group(2, 2, '公司', [
        group(3, 3, '城东', [
          group(4, 4, '换热站', [group(5, 5, '小区甲')]),
          group(8, 4, '新换热站', [group(6, 5, '小区乙')]),
        ]),
      ]),
    ]
    await reloader.reloadParents(['4', '3'])
    expect(tree.chain(at('6')).map((node) => tree.view(node).key)).toContain('8')
    expect(tree.isChecked(at('6'))).toBe(true)
    expect(tree.isChecked(at('8'))).toBe(true)
  })

  test('the begin of the first and the end of the last reload are reported', async () => {
    const { reloader, events, at } = await openAll()
    await Promise.all([reloader.reloadParents(['4']), reloader.reload(at('5'))])
    expect(events).toEqual(['begin', 'end'])
  })

  test('after a lost connection, leaves stay leaves', async () => {
    const { tree, at } = await openAll()
    tree.forgetComplete(ROOT_NODE)
    expect(tree.isLeaf(at(`${UUID_A}-L2-1单元-101`))).toBe(true)
    expect(tree.isLeaf(at('6'))).toBe(false)
  })

  test('an area that was not open shows the newest list when it is opened', async () => {
    const { reloader, company, tree, open, at } = await openAll()
    company.users = [vauser(UUID_C, '新楼', [], '1,2,3,4,6')]
    await reloader.reloadParents(['6'])
    await open('6')
    expect(keysBelow(tree, at('6'))).toEqual([UUID_C])
  })

  test('after a lost connection, open nodes are loaded again, and others when they are opened', async () => {
    const { reloader, company, requests, tree, open, at } = await openAll()
    await open('6')
    tree.expand(at('6'), false)
    requests.length = 0
    company.users = [vauser(UUID_A, '十号楼', []), vauser(UUID_C, '新楼', [], '1,2,3,4,6')]
    await reloader.reloadParents([])
    expect(requests).toEqual(['projects 1 20', 'groups 1', 'users 1,2'])
    expect(tree.sizeOf(at(UUID_A))).toBe(1)
    expect(keysBelow(tree, at('6'))).toEqual([UUID_B])
    await open('6')
    expect(keysBelow(tree, at('6'))).toEqual([UUID_C])
  })
})
