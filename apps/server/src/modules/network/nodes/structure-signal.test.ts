import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Signals } from '../../../platform/signals/signals.ts'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { type StructureChange, structureSignal, toPayload } from './structure-signal.ts'

let core: TestCore
let companyId: number
const received: (StructureChange | undefined)[] = []

beforeAll(async () => {
  core = await createTestCore()
  companyId = (await core.db.selectFrom('company').select('id').executeTakeFirstOrThrow()).id
  structureSignal.listen(core.signals, (change) => received.push(change))
})
beforeEach(() => {
  received.length = 0
})
afterAll(() => core.close())

/** Imports and waits for a later signal, before which everything the import sent has come. */
async function importAndReceive(nodes = createRegistry().nodes): Promise<typeof received> {
  const later = { companyId: 0, paths: ['/later/'] }
  await importRegistry(core.db, { ...createRegistry(), nodes })
  await core.signals.send('structure_changed', toPayload(later))
  await expect.poll(() => received).toContainEqual(later)
  return received.filter((change) => change?.companyId !== 0)
}

test('an import without changes sends no signal', async () => {
  await importAndReceive()
  received.length = 0
  expect(await importAndReceive()).toEqual([])
})

test('an import signals which parents have changed children', async () => {
  const { nodes } = createRegistry()
  const renamed = nodes.map((node) => (node.key === 'b3' ? { ...node, name: '四号楼' } : node))
  expect(await importAndReceive(renamed)).toEqual([{ companyId, paths: [await core.pathOf('a2')] }])
  await importAndReceive()
})

test('more than 50 parents, or too long a payload, are sent as "anything may have changed"', () => {
  const many = Array.from({ length: 51 }, (_, index) => `/${index}/`)
  expect(JSON.parse(toPayload({ companyId: 1, paths: many }))).toEqual({ companyId: 1, paths: [] })
  const long = Array.from({ length: 50 }, (_, index) => `/${'1234567890/'.repeat(20)}${index}/`)
  expect(JSON.parse(toPayload({ companyId: 1, paths: long }))).toEqual({ companyId: 1, paths: [] })
  expect(JSON.parse(toPayload({ companyId: 1, paths: ['/1/'] }))).toEqual({ companyId: 1, paths: ['/1/'] })
})

test('a listener whose signal connection was lost is notified that anything may have changed', () => {
  const received: unknown[] = []
  const lost: Pick<Signals, 'listen'> = {
    listen(_channel, listen) {
      listen(undefined)
      return () => undefined
    },
  }
  structureSignal.listen(lost, (change) => received.push(change))
  expect(received).toEqual([undefined])
})

test('changed parents are given as keys of the nodes that a scope shows', async () => {
  const paths = ['/', await core.pathOf('s1'), await core.pathOf('b2'), await core.pathOf('b2u1'), '/999/']
  const scope = { kind: 'paths', paths: [await core.pathOf('b2u1')] } as const
  const uuid = await core.nodeKey('b2')
  const keys = await core.network.findKeys(scope, paths)
  expect(keys.toSorted()).toEqual(['-1', await core.nodeKey('s1'), uuid, `${uuid}-L1-1单元`].toSorted())
  const other = { kind: 'paths', paths: [await core.pathOf('s2')] } as const
  expect(await core.network.findKeys(other, paths.slice(1))).toEqual([])
})
