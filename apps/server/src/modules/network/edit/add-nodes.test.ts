import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { callOf, createEditors, createTreeView } from '../edit-tree.testkit.ts'
import { lockCompany } from '../nodes/lock-tree.pg.ts'
import { MAX_DIGITS } from '../nodes/positions.ts'
import { expectSoundTrees } from '../tree-check.testkit.ts'
import { type AddedNode, addNodes } from './add-nodes.pg.ts'

let core: TestCore
beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const toAdded = (parentId: number, level: number, name: string): AddedNode => ({
  parentId,
  level,
  name,
  areaM2: undefined,
  description: '',
  isTest: false,
})

async function add(nodes: readonly AddedNode[]): Promise<readonly number[]> {
  const { company_id } = await core.db
    .selectFrom('node')
    .select('company_id')
    .where('key', '=', 'p')
    .executeTakeFirstOrThrow()
  return core.db.transaction().execute(async (transaction) => {
    await lockCompany(transaction, company_id)
    return addNodes(transaction, company_id, nodes)
  })
}

/** Puts two siblings at positions without room between them. */
async function fillUp(names: readonly [string, string]): Promise<void> {
  for (const [index, name] of names.entries()) {
    const position = `${'1'.padEnd(MAX_DIGITS - 1, '0')}${index + 1}`
    await sql`
      update node set sort_path = above.sort_path || ${position} || substr(node.sort_path, length(itself.sort_path))
      from node itself join node above on above.id = itself.parent_id
      where itself.name = ${name} and starts_with(node.path, itself.path)`.execute(core.db)
  }
}

test('many nodes added at once are in the right order even where siblings have no room', async () => {
  const { groups } = createEditors(core.db, core.network)
  const [projectId, call] = [await core.nodeId('p'), callOf()]
  const addNode = (parentId: number, level: number, title: string) =>
    groups.add({ parentId, title, level, description: '' }, call)
  const top = await addNode(projectId, 2, '片区')
  const [upper] = [await addNode(top.id, 3, '甲1'), await addNode(top.id, 3, '甲9')]
  await addNode(upper.id, 4, '乙1')
  await addNode(upper.id, 4, '乙9')
  await fillUp(['甲1', '甲9'])
  await fillUp(['乙1', '乙9'])
  await expectSoundTrees(core.db)

  await add([
    toAdded(top.id, 3, '甲5'),
    toAdded(upper.id, 4, '乙5'),
    toAdded(upper.id, 4, '乙6'),
    toAdded(projectId, 2, '片区2'),
  ])
  await expectSoundTrees(core.db)
  const { namesBelow } = createTreeView(core.db)
  expect(await namesBelow(top.id)).toEqual(['甲1', '甲5', '甲9'])
  expect(await namesBelow(upper.id)).toEqual(['乙1', '乙5', '乙6', '乙9'])
})

test('a parent that no longer exists is reported as node.not-found', async () => {
  await expect(add([toAdded(987_654, 3, '孤')])).rejects.toMatchObject({ code: 'node.not-found' })
})
