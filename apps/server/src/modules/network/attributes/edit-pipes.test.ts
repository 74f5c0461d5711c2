import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operate } from '../../../platform/operation/operate.pg.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { callOf } from '../edit-tree.testkit.ts'
import { createPipeEditor, type PipeEditor } from './edit-pipes.ts'

let core: TestCore
let pipes: PipeEditor

beforeAll(async () => {
  core = await createTestCore()
  pipes = createPipeEditor(core.db, core.network)
})
beforeEach(() => core.db.deleteFrom('pipe').execute())
afterAll(() => core.close())

const limiter = { page: 1, size: 100 }
const record = {
  lengthM: 120,
  innerDiameterMm: 107.1,
  material: 'steel' as const,
  roughnessMm: null,
  laidYear: 2012,
}
const refusal = (code: string) => expect.objectContaining({ code })

async function savePipe(from: string, to: string, given: typeof record | null, version?: number) {
  const ends = { from: await core.nodeKey(from), to: await core.nodeKey(to) }
  const item = { ...ends, record: given, ...(version === undefined ? {} : { version }) }
  return pipes.save({ items: [item] }, callOf())
}

test('a pipe is added, changed and removed, each time with the last version', async () => {
  const { datalist } = await savePipe('s1', 'a1', record)
  expect(datalist).toEqual([
    {
      from: await core.nodeKey('s1'),
      to: await core.nodeKey('a1'),
      version: 1,
      fromAddr: '集团,公司,一号站',
      toAddr: '集团,公司,一号站,东区',
      record,
      abilities: ['edit', 'remove'],
    },
  ])
  await expect(savePipe('s1', 'a1', record)).rejects.toEqual(refusal('entity.stale'))
  // From the other end it is the same pipe.
  const turned = await savePipe('a1', 's1', { ...record, lengthM: 130 }, 1)
  expect(turned.datalist).toMatchObject([{ record: { lengthM: 130 }, version: 2 }])
  await expect(savePipe('s1', 'a1', null, 1)).rejects.toEqual(refusal('entity.stale'))
  expect((await savePipe('s1', 'a1', null, 2)).datalist).toEqual([])
  await expect(savePipe('s1', 'a1', record, 2)).rejects.toEqual(refusal('entity.stale'))
})

test('a new pipe continues the version numbers of the removed one', async () => {
  await savePipe('s2', 'a2', record)
  await savePipe('s2', 'a2', null, 1)
  expect((await savePipe('a2', 's2', { ...record, lengthM: 60 })).datalist).toMatchObject([{ version: 2 }])
  // A caller with the first pipe cannot overwrite the second.
  await expect(savePipe('s2', 'a2', record, 1)).rejects.toEqual(refusal('entity.stale'))
})

test('a call with a pipe without two ends, or with the same pipe twice, saves nothing', async () => {
  await expect(savePipe('s1', 's1', record)).rejects.toEqual(refusal('request.malformed'))
  const [from, to] = [await core.nodeKey('s1'), await core.nodeKey('a1')]
  const items = [
    { from, to, record },
    { from: to, to: from, record },
  ]
  await expect(pipes.save({ items }, callOf())).rejects.toEqual(refusal('request.malformed'))
  expect((await pipes.list({ node: from, limiter }, callOf())).total).toBe(0)
})

test('a caller who is granted only one end can neither see nor change a pipe', async () => {
  await savePipe('s1', 'a1', record)
  await savePipe('a1', 'b2', record)
  const scope = { kind: 'paths', paths: [await core.pathOf('a1')] } as const
  const { datalist } = await pipes.list({ node: await core.nodeKey('a1'), limiter }, callOf({ scope }))
  expect(datalist.map(({ toAddr }) => toAddr)).toEqual(['集团,公司,一号站,东区,二号楼'])
  const items = [{ from: await core.nodeKey('s1'), to: await core.nodeKey('a1'), record: null, version: 1 }]
  await expect(pipes.save({ items }, callOf({ scope }))).rejects.toEqual(refusal('node.not-found'))
})

test('a caller with balancing permission sees pipes but cannot change them', async () => {
  await savePipe('s1', 'a1', record)
  const call = callOf({ permissions: new Set(permissions.filter((one) => one === 'pe-egmonitor')) })
  const { datalist } = await pipes.list({ node: await core.nodeKey('s1'), limiter }, call)
  expect(datalist).toMatchObject([{ abilities: [] }])
})

test('a pipe is removed with its node, and the log contains all its changes', async () => {
  await savePipe('s1', 's2', record)
  await savePipe('s1', 's2', { ...record, lengthM: 90 }, 1)
  const { id } = await core.db.selectFrom('pipe').select('id').executeTakeFirstOrThrow()
  await operate(core.db, callOf().operation, async (transaction) => {
    await sql`delete from device`.execute(transaction)
    await sql`delete from node where path like (select path from node where key = 's2') || '%'`.execute(
      transaction,
    )
  })
  const { rows } = await sql<{ action: string }>`
    select action from operation_change where entity = 'pipe' and entity_id = ${String(id)} order by id`.execute(
    core.db,
  )
  expect(rows.map(({ action }) => action)).toEqual(['added', 'changed', 'removed'])
})
