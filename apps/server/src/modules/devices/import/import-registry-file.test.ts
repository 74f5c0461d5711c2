import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { RegistryFileError } from '../../network/index.ts'
import { importRegistryFile } from '../index.ts'

let core: TestCore
beforeAll(async () => {
  core = await createTestCore({ registry: null })
})
afterAll(() => core.close())

const log = createLog({ logLevel: 'silent' })
const start = (file: unknown) => importRegistryFile(JSON.stringify(file), { db: core.db, log, now: 1_000 })
const nameOf = async (key: string) =>
  (await core.db.selectFrom('node').select('name').where('key', '=', key).executeTakeFirstOrThrow()).name
const rename = (key: string, name: string) =>
  core.db.updateTable('node').set({ name }).where('key', '=', key).execute()
const listOperations = () =>
  core.db.selectFrom('operation').select('endpoint').where('endpoint', '=', 'registry-file').execute()

test('a start with an unchanged file keeps later edits', async () => {
  await start(createRegistry())
  await rename('a2', '改名')
  await start(createRegistry())
  expect(await nameOf('a2')).toBe('改名')
  expect(await listOperations()).toEqual([])
})

test('a changed file is imported and logged', async () => {
  const { nodes, ...file } = createRegistry()
  await start({
    ...file,
    nodes: nodes.map((node) => (node.key === 'b3' ? { ...node, name: '四号楼' } : node)),
  })
  expect(await nameOf('b3')).toBe('四号楼')
  expect(await listOperations()).toHaveLength(1)
})

test('a file that contradicts later edits is skipped, and the server starts', async () => {
  const { nodes, ...file } = createRegistry()
  const twice = [...nodes, { key: 's3', parent: 'c', kind: 'group', level: 4, name: '二号站' }]
  await start({ ...file, nodes: twice })
  expect(await core.db.selectFrom('node').select('id').where('key', '=', 's3').execute()).toEqual([])
})

test('a wrong file of a new company stops the start', async () => {
  const { nodes, ...file } = createRegistry('new')
  const orphan = { key: 'o', parent: 'nobody', kind: 'group', level: 4, name: '孤站' }
  await expect(start({ ...file, nodes: [...nodes, orphan] })).rejects.toThrow(RegistryFileError)
})
