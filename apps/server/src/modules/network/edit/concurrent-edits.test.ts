import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { callOf, createEditors } from '../edit-tree.testkit.ts'
import { RegistryFileError } from '../import/registry-file-error.ts'
import { expectSoundTrees } from '../tree-check.testkit.ts'

let core: TestCore
let editors: ReturnType<typeof createEditors>
beforeAll(async () => {
  core = await createTestCore()
  editors = createEditors(core.db, core.network)
})
afterAll(() => core.close())

const step = fc.record({
  what: fc.constantFrom('add', 'add', 'move', 'move', 'rename', 'remove', 'building', 'addresses', 'import'),
  one: fc.nat(),
  other: fc.nat(),
  name: fc.constantFrom('甲', '乙', '一号', '二号', '十号', '3号', '21号', 'B座', 'a座'),
  level: fc.integer({ min: 2, max: 5 }),
})
type Step = Parameters<Parameters<typeof step.map>[0]>[0]

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length]

/** Runs a random step on the current tree, as several users would at once. */
async function runStep({ what, one, other, name, level }: Step): Promise<unknown> {
  if (what === 'import') return importRegistry(core.db, { ...createRegistry(), devices: [] })
  const nodes = await core.db.selectFrom('node').selectAll().orderBy('id').execute()
  const groups = nodes.filter(({ kind }) => kind === 'group')
  const buildings = nodes.filter(({ kind }) => kind === 'sub-user')
  const group = pick(groups, one)
  const parent = pick([...groups, ...nodes.filter(({ kind }) => kind === 'project')], other)
  const building = pick(buildings, one)
  if (!group || !parent) return
  const { id, version } = group
  if (what === 'add')
    return editors.groups.add({ parentId: parent.id, title: name, level, description: '' }, callOf())
  if (what === 'move') return editors.groups.edit({ id, version, parentId: parent.id, level }, callOf())
  if (what === 'rename') return editors.groups.edit({ id, version, title: name }, callOf())
  if (what === 'remove') return editors.groups.remove({ items: [{ id, version }] }, callOf())
  const addrlist = [`${name}-1`, `${name}-2`, `一单元-${name}`]
  if (what === 'building') {
    return editors.subUsers.add({ name, parentId: parent.id, addrlist, areas: [], test: false }, callOf())
  }
  if (!building?.uuid) return
  return editors.subUsers.edit(
    { uuid: building.uuid, version: building.version, addrlist, areas: [] },
    callOf(),
  )
}

/** Expected errors for users; any other error, for example a deadlock, is a bug. */
function rethrowUnexpected(error: unknown): void {
  if (!(error instanceof AppError || error instanceof RegistryFileError)) throw error
  expect(['server.internal', 'server.unavailable']).not.toContain(error.message)
}

test('concurrent adds, moves, renames, removals and imports leave a consistent tree', {
  timeout: 120_000,
}, async () => {
  const users = fc.array(fc.array(step, { minLength: 8, maxLength: 8 }), { minLength: 4, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(users, async (given) => {
      await Promise.all(
        given.map(async (steps) => {
          for (const each of steps) await runStep(each).catch(rethrowUnexpected)
        }),
      )
      await expectSoundTrees(core.db)
    }),
    { numRuns: 6, endOnFailure: true },
  )
})

test('of two moves that together would form a cycle, one is refused', async () => {
  const parentId = await core.nodeId('p')
  for (let round = 0; round < 5; round += 1) {
    const add = (title: string, level: number) =>
      editors.groups.add({ parentId, title, level, description: '' }, callOf())
    const [upper, lower] = await Promise.all([add(`上${round}`, 3), add(`下${round}`, 3)])
    const move = (one: typeof upper, to: typeof upper) =>
      editors.groups.edit({ id: one.id, version: 1, parentId: to.id, level: 4 }, callOf())
    const results = await Promise.allSettled([move(upper, lower), move(lower, upper)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  }
  await expectSoundTrees(core.db)
})

test('a parent that is removed while a group is added below it does not leave an orphan', async () => {
  const parentId = await core.nodeId('p')
  for (let round = 0; round < 10; round += 1) {
    const { id, version } = await editors.groups.add(
      { parentId, title: `去${round}`, level: 3, description: '' },
      callOf(),
    )
    const results = await Promise.allSettled([
      editors.groups.remove({ items: [{ id, version }] }, callOf()),
      editors.groups.add({ parentId: id, title: '孤', level: 4, description: '' }, callOf()),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason.code).toMatch(/^node\.not-(found|empty)$/)
    }
  }
  await expectSoundTrees(core.db)
})
