import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { callOf, createTreeView } from '../edit-tree.testkit.ts'
import { createEmitterEditor, type EmitterEditor } from './edit-emitters.ts'

let core: TestCore
let emitters: EmitterEditor
let tree: ReturnType<typeof createTreeView>

beforeAll(async () => {
  core = await createTestCore()
  emitters = createEmitterEditor(core.db, core.network)
  tree = createTreeView(core.db)
})
afterAll(() => core.close())

const limiter = { page: 1, size: 100 }
const refusal = (code: string) => expect.objectContaining({ code })

test('lower nodes inherit the emitter of a node unless they have their own', async () => {
  const [node, area] = [await core.nodeKey('b2'), await core.nodeKey('a1')]
  const versions = [(await tree.read('a1')).version, (await tree.read('b2')).version] as const
  const items = [
    { node: area, version: versions[0], emitter: 'floor' as const },
    { node, version: versions[1], emitter: 'radiator' as const },
  ]
  expect((await emitters.save({ items }, callOf())).datalist).toMatchObject([
    { nestaddr: '集团,公司,一号站,东区', emitter: 'floor', version: versions[0] + 1 },
    { emitter: 'radiator' },
  ])
  const { datalist, total } = await emitters.list({ node: area, lowestLevel: 6, limiter }, callOf())
  expect(total).toBe(3)
  expect(
    datalist.map(({ nestaddr, emitter, inherited }) => [nestaddr.split(',').at(-1), emitter, inherited]),
  ).toEqual([
    ['东区', 'floor', undefined],
    ['二号楼', 'radiator', undefined],
    ['十号楼', undefined, 'floor'],
  ])
  await expect(emitters.save({ items }, callOf())).rejects.toEqual(refusal('entity.stale'))
  const cleared = [{ node, version: versions[1] + 1, emitter: null }]
  expect((await emitters.save({ items: cleared }, callOf())).datalist).toMatchObject([{ inherited: 'floor' }])
})

test('a caller without the grant or with balancing permission only cannot change emitters', async () => {
  const { version } = await tree.read('b3')
  const items = [{ node: await core.nodeKey('b3'), version, emitter: 'floor' as const }]
  const scope = { kind: 'paths', paths: [await core.pathOf('a1')] } as const
  await expect(emitters.save({ items }, callOf({ scope }))).rejects.toEqual(refusal('node.not-found'))
  const onlooker = callOf({ permissions: new Set(permissions.filter((one) => one === 'pe-egmonitor')) })
  const { datalist } = await emitters.list(
    { node: await core.nodeKey('b3'), lowestLevel: 6, limiter },
    onlooker,
  )
  expect(datalist).toMatchObject([{ abilities: [] }])
})
