import { ROOT_NODE } from '@isotherm/tree/tree'
import { describe, expect, test } from 'vitest'
import { createTreeReloader } from './tree-reload.ts'
import {
  createCompany,
  createWorld,
  group,
  keysBelow,
  UUID_A,
  UUID_B,
  vauser,
} from './tree-samples.testkit.ts'

const UUID_C = '00000000-0000-4000-8000-00000000000c'

async function openAll() {
  const world = createWorld(createCompany())
  const told: string[] = []
  const reloader = createTreeReloader(world.tree, world.loader, {
    onBegin: () => void told.push('begin'),
    onEnd: () => void told.push('end'),
  })
  await world.open('-1', '1', '2', '3', '4', '5')
  world.asked.length = 0
  return { ...world, reloader, told }
}

describe('§4 Tree: a refresh flag', () => {
  test('reloads the current node and what stands open below it', async () => {
    const { reloader, company, asked, tree, at } = await openAll()
    company.users.push(vauser(UUID_C, '1号楼', []))
    await reloader.reload(at('4'))
    expect(asked).toEqual(['groups 1 4', 'users 1,2'])
    expect(keysBelow(tree, at('5'))).toEqual([UUID_C, UUID_A])
  })

  test('or its parent when the parent-update flag is set', async () => {
    const { reloader, asked, at } = await openAll()
    await reloader.reload(at('4'), true)
    expect(asked[0]).toBe('groups 1 3')
  })

  test('a sub-user or address is loaded again with its area', async () => {
    const { reloader, asked, at } = await openAll()
    await reloader.reload(at(`${UUID_A}-L1-1单元`))
    expect(asked).toEqual(['users 1,2,3,4,5'])
  })

  test('the root is loaded again from the projects on', async () => {
    const { reloader, asked } = await openAll()
    await reloader.reload(ROOT_NODE, true)
    expect(asked).toEqual(['projects 1 20', 'groups 1', 'users 1,2'])
  })
})

describe('structure changes by others', () => {
  test('exactly the loaded ones of the named parents are loaded again', async () => {
    const { reloader, asked } = await openAll()
    await reloader.reloadParents(['5', '6', '999'])
    expect(asked).toEqual(['users 1,2,3,4,5'].map((each) => expect.stringContaining(each.slice(0, 9))))
    expect(asked).toHaveLength(1)
  })

  test('groups that come with one above them are not asked for twice', async () => {
    const { reloader, asked } = await openAll()
    await reloader.reloadParents(['3', '4'])
    expect(asked).toEqual(['groups 1 3'])
  })

  test('checks, expansion and numbers stay; what left is gone; what came is there', async () => {
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

  test('whoever waits for the end of it is told when it begins and when all of it is done', async () => {
    const { reloader, told, at } = await openAll()
    await Promise.all([reloader.reloadParents(['4']), reloader.reload(at('5'))])
    expect(told).toEqual(['begin', 'end'])
  })

  test('after a lost connection rows without anything below them stay without a twist', async () => {
    const { tree, at } = await openAll()
    tree.forgetComplete(ROOT_NODE)
    expect(tree.isLeaf(at(`${UUID_A}-L2-1单元-101`))).toBe(true)
    expect(tree.isLeaf(at('6'))).toBe(false)
  })

  test('an area nobody opened yet shows the newest list when it is', async () => {
    const { reloader, company, tree, open, at } = await openAll()
    company.users = [vauser(UUID_C, '新楼', [], '1,2,3,4,6')]
    await reloader.reloadParents(['6'])
    await open('6')
    expect(keysBelow(tree, at('6'))).toEqual([UUID_C])
  })

  test('after a lost connection everything open is loaded again, and the rest when it is opened', async () => {
    const { reloader, company, asked, tree, open, at } = await openAll()
    await open('6')
    tree.expand(at('6'), false)
    asked.length = 0
    company.users = [vauser(UUID_A, '十号楼', []), vauser(UUID_C, '新楼', [], '1,2,3,4,6')]
    await reloader.reloadParents([])
    expect(asked).toEqual(['projects 1 20', 'groups 1', 'users 1,2'])
    expect(tree.sizeOf(at(UUID_A))).toBe(1)
    expect(keysBelow(tree, at('6'))).toEqual([UUID_B])
    await open('6')
    expect(keysBelow(tree, at('6'))).toEqual([UUID_C])
  })
})
