import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRegistry, createTestCore, type TestCore } from '../../../core.testkit.ts'
import type { Signals } from '../../../platform/signals/signals.ts'
import { importRegistry } from '../../devices/index.ts'
import { type StructureChange, structureSignal, toPayload } from './structure-signal.ts'

let core: TestCore
let companyId: number
const heard: (StructureChange | undefined)[] = []

beforeAll(async () => {
  core = await createTestCore()
  companyId = (await core.db.selectFrom('company').select('id').executeTakeFirstOrThrow()).id
  structureSignal.listen(core.signals, (change) => heard.push(change))
})
beforeEach(() => {
  heard.length = 0
})
afterAll(() => core.close())

/** Imports and waits for a later signal, before which everything the import sent has come. */
async function importAndHear(nodes = createRegistry().nodes): Promise<typeof heard> {
  const later = { companyId: 0, paths: ['/later/'] }
  await importRegistry(core.db, { ...createRegistry(), nodes })
  await core.signals.send('structure_changed', toPayload(later))
  await expect.poll(() => heard).toContainEqual(later)
  return heard.filter((change) => change?.companyId !== 0)
}

test('an import that changes nothing tells nobody', async () => {
  await importAndHear()
  heard.length = 0
  expect(await importAndHear()).toEqual([])
})

test('an import tells which parents have other children now', async () => {
  const { nodes } = createRegistry()
  const renamed = nodes.map((node) => (node.key === 'b3' ? { ...node, name: '四号楼' } : node))
  expect(await importAndHear(renamed)).toEqual([{ companyId, paths: [await core.pathOf('a2')] }])
  await importAndHear()
})

test('more than 50 parents, or more text than a signal holds, are told as everything', () => {
  const many = Array.from({ length: 51 }, (_, index) => `/${index}/`)
  expect(JSON.parse(toPayload({ companyId: 1, paths: many }))).toEqual({ companyId: 1, paths: [] })
  const long = Array.from({ length: 50 }, (_, index) => `/${'1234567890/'.repeat(20)}${index}/`)
  expect(JSON.parse(toPayload({ companyId: 1, paths: long }))).toEqual({ companyId: 1, paths: [] })
  expect(JSON.parse(toPayload({ companyId: 1, paths: ['/1/'] }))).toEqual({ companyId: 1, paths: ['/1/'] })
})

test('whoever lost the connection for signals hears that anything may have changed', () => {
  const told: unknown[] = []
  const lost: Pick<Signals, 'listen'> = {
    listen(_channel, hear) {
      hear(undefined)
      return () => undefined
    },
  }
  structureSignal.listen(lost, (change) => told.push(change))
  expect(told).toEqual([undefined])
})

test('changed parents are named by the keys of the nodes that a scope shows', async () => {
  const paths = ['/', await core.pathOf('s1'), await core.pathOf('b2'), await core.pathOf('b2u1'), '/999/']
  const scope = { kind: 'paths', paths: [await core.pathOf('b2u1')] } as const
  const uuid = await core.nodeKey('b2')
  const keys = await core.network.findKeys(scope, paths)
  expect(keys.toSorted()).toEqual(['-1', await core.nodeKey('s1'), uuid, `${uuid}-L1-1单元`].toSorted())
  const other = { kind: 'paths', paths: [await core.pathOf('s2')] } as const
  expect(await core.network.findKeys(other, paths.slice(1))).toEqual([])
})
