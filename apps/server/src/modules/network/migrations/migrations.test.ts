import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratePostgres } from '../../../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../../../platform/log.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { startEmptyDatabase } from '../../../platform/postgres/empty-database.testkit.ts'
import { FORMS_VERSION } from '../names/name-forms.ts'
import { refreshTreeNames } from '../names/tree-names.pg.ts'
import { networkMigrations } from './migrations.pg.ts'

const log = createLog({ logLevel: 'silent' })
const upTo = (last: string) =>
  Object.fromEntries(Object.entries(networkMigrations.migrations).filter(([name]) => name <= last))

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await startEmptyDatabase())
})
afterAll(() => close())

test('names stored before the search existed can be found after the upgrade', async () => {
  const first = Object.entries(networkMigrations.migrations).slice(0, 1)
  await migratePostgres(db, [{ module: 'network', migrations: Object.fromEntries(first) }], log)
  await sql`insert into company (tenant, name, time_zone) values ('old', 'x', 'Asia/Shanghai')`.execute(db)
  await sql`
    insert into node (company_id, key, kind, level, name, path, nestaddr, sort_path)
    values (1, 'p', 'project', 1, '和源热力集团', '/1/', '和源热力集团', '0000')`.execute(db)
  await migratePostgres(db, [networkMigrations], log)
  expect(await db.selectFrom('tree_name').selectAll().execute()).toEqual([
    {
      company_id: 1,
      level: 1,
      name: '和源热力集团',
      plain: '和源热力集团',
      folded: '和源热力集团',
      pinyin: 'heyuanrelijituan',
      initials: 'hyrljt',
      forms: FORMS_VERSION,
    },
  ])
})

test('name forms of another version are recomputed at the start; others stay', async () => {
  await sql`
    insert into node (company_id, key, kind, level, name, path, nestaddr, sort_path)
    values (1, 'q', 'project', 1, '三号', '/2/', '三号', '0001')`.execute(db)
  await sql`
    insert into tree_name (company_id, level, name, plain, folded, pinyin, initials, forms)
    values (1, 1, '三号', 'left', 'left', 'left', 'left', ${FORMS_VERSION})`.execute(db)
  const initials = async () =>
    (
      await db.selectFrom('tree_name').select(['name', 'initials', 'forms']).orderBy('initials').execute()
    ).map((row) => [row.name, row.initials, row.forms])
  await refreshTreeNames(db)
  expect(await initials()).toContainEqual(['三号', 'left', FORMS_VERSION])
  await sql`update tree_name set forms = ${FORMS_VERSION + 1}, initials = 'other'`.execute(db)
  await refreshTreeNames(db)
  expect(await initials()).toEqual([
    ['三号', '3h', FORMS_VERSION],
    ['和源热力集团', 'hyrljt', FORMS_VERSION],
  ])
})

test('a tree stored before positions had room keeps its order, and siblings with the same name are renamed', async () => {
  const { db: tree, close: drop } = await startEmptyDatabase()
  try {
    await migratePostgres(tree, [{ module: 'network', migrations: upTo('004_registry') }], log)
    await sql`insert into company (tenant, name, time_zone) values ('old', 'x', 'Asia/Shanghai')`.execute(
      tree,
    )
    const insert = (id: number, parentId: number | null, name: string, places: readonly string[]) => {
      const level = places.length
      const [path, sortPath] = [places.map((_, depth) => [1, id][depth] ?? id).join('/'), places.join('')]
      return sql`
        insert into node (company_id, key, parent_id, kind, level, name, path, nestaddr, sort_path)
        values (1, ${`k${id}`}, ${parentId}, ${parentId ? 'group' : 'project'}, ${level}, ${name}, ${`/${path}/`},
          ${parentId ? `集团,${name}` : name}, ${sortPath})`.execute(tree)
    }
    await insert(1, null, '集团', ['0000'])
    for (const [index, name] of ['甲', '乙', '甲'].entries())
      await insert(index + 2, 1, name, ['0000', `000${index}`])
    await sql`
      insert into node (company_id, key, parent_id, kind, level, name, path, nestaddr, sort_path)
      values (1, 'k9', 4, 'group', 3, '丙', '/1/4/9/', '集团,甲,丙', '000000020000')`.execute(tree)
    await migratePostgres(tree, [networkMigrations], log)
    const rows = await tree
      .selectFrom('node')
      .select(['nestaddr', 'sort_path'])
      .orderBy('sort_path')
      .execute()
    expect(rows.map((row) => [row.nestaddr, row.sort_path])).toEqual([
      ['集团', '10000/'],
      ['集团,甲', '10000/10000/'],
      ['集团,乙', '10000/10001/'],
      ['集团,甲 4', '10000/10002/'],
      ['集团,甲 4,丙', '10000/10002/10000/'],
    ])
    expect((await tree.selectFrom('tree_name').select('name').execute()).map(({ name }) => name)).toContain(
      '甲 4',
    )
  } finally {
    await drop()
  }
})

/** Stores a tree with levels that do not fit the kinds, as an old import could, and migrates it. */
async function upgrade(nodes: readonly (readonly [string, string, number, string, boolean])[]) {
  const { db: tree, close: drop } = await startEmptyDatabase()
  try {
    await migratePostgres(tree, [{ module: 'network', migrations: upTo('004_registry') }], log)
    await sql`insert into company (tenant, name, time_zone) values ('old', 'x', 'Asia/Shanghai')`.execute(
      tree,
    )
    for (const [index, [path, kind, level, name, isTest]] of nodes.entries()) {
      const [id = 0, above = null] = path.split('/').filter(Boolean).map(Number).toReversed()
      await sql`
        insert into node (id, company_id, key, parent_id, kind, level, name, uuid, path, nestaddr, sort_path, is_test)
        values (${id}, 1, ${`k${id}`}, ${above}, ${kind}, ${level}, ${name},
          ${kind === 'sub-user' ? sql`gen_random_uuid()` : null}, ${path}, ${name}, ${`000${index}`}, ${isTest})`.execute(
        tree,
      )
    }
    await migratePostgres(tree, [networkMigrations], log)
    const rows = await tree.selectFrom('node').select(['name', 'level', 'is_test']).orderBy('id').execute()
    return rows.map((row) => [row.name, row.level, row.is_test])
  } finally {
    await drop()
  }
}

test('nodes at levels not allowed for their kind get the nearest allowed one, and one building of a project keeps the test mark', async () => {
  const upgraded = await upgrade([
    ['/1/', 'project', 1, '集团', true],
    ['/1/2/', 'group', 6, '深区', false],
    ['/1/3/', 'group', 2, '区', false],
    ['/1/3/4/', 'sub-user', 5, '甲楼', true],
    ['/1/3/5/', 'sub-user', 7, '乙楼', true],
  ])
  expect(upgraded).toEqual([
    ['集团', 1, false],
    ['深区', 5, false],
    ['区', 2, false],
    ['甲楼', 6, true],
    ['乙楼', 6, false],
  ])
})

test('a tree too deep for its levels is not migrated, and the error names the nodes', async () => {
  const deep = upgrade([
    ['/1/', 'project', 1, '集团', false],
    ['/1/2/', 'group', 5, '区', false],
    ['/1/2/3/', 'group', 6, '深区', false],
  ])
  await expect(deep).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining('深区 (group "k3" at level 5)') }),
  })
})

test('a new place continues the version numbers of the removed one as long as the node exists', async () => {
  const place = { longitude_deg: 116, latitude_deg: 39, outline: null }
  const { id } = await db.selectFrom('node').select('id').where('key', '=', 'p').executeTakeFirstOrThrow()
  await db
    .insertInto('node_gis')
    .values({ node_id: id, ...place })
    .execute()
  await db.deleteFrom('node_gis').where('node_id', '=', id).execute()
  const again = db
    .insertInto('node_gis')
    .values({ node_id: id, ...place })
    .returning('version')
  expect((await again.executeTakeFirstOrThrow()).version).toBe(2)
  await db.deleteFrom('node').where('id', '=', id).execute()
  expect((await sql`select from ended_version`.execute(db)).rows).toEqual([])
})
