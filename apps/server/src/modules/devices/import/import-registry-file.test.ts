import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
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

test('a file with line breaks in names, as older versions took it, is imported', async () => {
  const { company, devices, ...file } = createRegistry('older')
  const named = devices.map((device) => ({ ...device, name: '旧\n名', model: 'T\n1' }))
  await start({ ...file, company: { ...company, name: '旧\n公司' }, devices: named })
  const { name } = await core.db
    .selectFrom('company')
    .select('name')
    .where('tenant', '=', 'older')
    .executeTakeFirstOrThrow()
  expect(name).toBe('旧\n公司')
})

test('a file that contradicts later edits is skipped, and the server starts', async () => {
  const { nodes, ...file } = createRegistry()
  const twice = [...nodes, { key: 's3', parent: 'c', kind: 'group', level: 4, name: '二号站' }]
  await start({ ...file, nodes: twice })
  expect(await core.db.selectFrom('node').select('id').where('key', '=', 's3').execute()).toEqual([])
})

test('a file that takes a device from where it is needed is skipped, and the reason is logged', async () => {
  const lines: string[] = []
  const error = (given: { err: Error }) => lines.push(given.err.message)
  const { nodes, ...file } = createRegistry()
  const renamed = nodes.map((node) => (node.key === 'b3' ? { ...node, name: '五号楼' } : node))
  await importRegistryFile(JSON.stringify({ ...file, nodes: renamed }), {
    db: core.db,
    log: Object.assign(Object.create(log), { error }),
    now: 1_000,
    guardPlaces: async () => async () => {
      throw new AppError('irrigation.sensor-attached', { device: 'F1', source: 'P1' })
    },
  })
  expect(await nameOf('b3')).not.toBe('五号楼')
  expect(lines).toEqual([expect.stringContaining('F1 is a sensor of the irrigation source P1')])
})

test('a wrong file of a new company stops the start', async () => {
  const { nodes, ...file } = createRegistry('new')
  const orphan = { key: 'o', parent: 'nobody', kind: 'group', level: 4, name: '孤站' }
  await expect(start({ ...file, nodes: [...nodes, orphan] })).rejects.toThrow(RegistryFileError)
})
