import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRevisions } from '../../../platform/signals/revisions.pg.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { createNetwork } from '../index.ts'
import { createGroupCache } from './group-cache.ts'
import type { GroupRow } from './groups.pg.ts'

let core: TestCore
const viewer = { scope: { kind: 'all' }, permissions: new Set<never>() } as const

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const requestGroups = async (network = core.network) => {
  const { groupList } = await network.getGroups(viewer, { projectId: await core.nodeId('p') })
  return JSON.stringify(groupList)
}

const changes: readonly (readonly [string, string])[] = [
  ['a group renamed', "update node set name = '三号站' where key = 's1'"],
  ['a group described', "update node set description = '老' where key = 's1'"],
  ['a group moved in order', "update node set sort_path = 'zzy' where key = 's1'"],
  [
    'a group added',
    `insert into node (company_id, key, parent_id, kind, level, name, path, nestaddr, sort_path)
     select company_id, 'new', parent_id, 'group', 4, '新站', replace(path, id || '/', '777777/'), '', 'zzz'
     from node where key = 's1'`,
  ],
  [
    'a controller added',
    `insert into device_model (kind, name) values ('station', 'T1');
     insert into device (company_id, serial, kind, name, model, node_id, period_s)
     select company_id, 'S1', 'station', 'S1', 'T1', id, 60 from node where key = 's1'`,
  ],
  [
    'a controller moved',
    "update device set node_id = (select id from node where key = 's2') where serial = 'S1'",
  ],
  ['a controller retired', "update device set retired_at = now() where serial = 'S1'"],
  ['a controller in use again', "update device set retired_at = null where serial = 'S1'"],
  ['a controller removed', "delete from device where serial = 'S1'"],
  ['a group removed', "delete from node where key = 'new'"],
]

test.each(changes)('the cached groups are up to date after %s', async (_, change) => {
  const before = await requestGroups()
  await sql.raw(change).execute(core.db)
  const after = await requestGroups()
  expect(after).not.toBe(before)
  // A new service has an empty cache.
  expect(after).toBe(await requestGroups(createNetwork(core.db, core.devices)))
})

test('other changes do not change the revision of the groups', async () => {
  const before = (await readRevisions(core.db)).groups
  await sql`update device set name = 'other' where serial = 'V-b2u1'`.execute(core.db)
  await sql`update device set node_id = (select id from node where key = 'b3') where serial = 'V-b2u1'`.execute(
    core.db,
  )
  await sql`update account set name = 'other'`.execute(core.db)
  expect((await readRevisions(core.db)).groups).toBe(before)
})

test('unknown projects do not evict a cached one', async () => {
  const project: GroupRow = {
    id: 1,
    name: '一号项目',
    level: 1,
    parentId: null,
    path: '/1/',
    kind: 'project',
    description: '',
    version: 1,
  }
  let reads = 0
  const find = createGroupCache({
    readRevision: async () => 1,
    async read(projectId) {
      if (projectId === 1) reads += 1
      return { rows: projectId === 1 ? [project] : [], controllers: new Map() }
    },
  })
  for (let projectId = 1; projectId <= 500; projectId += 1) await find(projectId)
  await find(1)
  expect(reads).toBe(1)
})

test('concurrent calls read once, and a failed read is not cached', async () => {
  let reads = 0
  const find = createGroupCache({
    readRevision: async () => 1,
    async read() {
      reads += 1
      await Promise.resolve()
      if (reads === 1) throw new Error('gone')
      return { rows: [], controllers: new Map() }
    },
  })
  await expect(find(1)).rejects.toThrow('gone')
  await Promise.all([find(1), find(1), find(1)])
  expect(reads).toBe(2)
})
