import type { RegistryFile, RegistryPipe } from '@isotherm/contract/network/registry-file'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const steel = (from: string, to: string, lengthM: number): RegistryPipe => ({
  from,
  to,
  lengthM,
  innerDiameterMm: 82.5,
  material: 'steel',
  roughnessMm: null,
  laidYear: 2004,
})

/** Imports the small registry with pipes, and with floors in some nodes. */
function importWith(pipes: RegistryFile['pipes'], floors: readonly string[] = []): Promise<void> {
  const file = createRegistry()
  const nodes = file.nodes.map((node) =>
    floors.includes(node.key) ? { ...node, emitter: 'floor' as const } : node,
  )
  return importRegistry(core.db, { ...file, nodes, ...(pipes && { pipes }) })
}

async function listPipes(): Promise<unknown> {
  const { rows } = await sql`
    select from_node.key as "from", to_node.key as "to", length_m as "lengthM", laid_year as year
    from pipe join node from_node on from_node.id = from_node_id join node to_node on to_node.id = to_node_id
    order by 1, 2`.execute(core.db)
  return rows
}

const listEmitters = () =>
  core.db
    .selectFrom('node')
    .where('emitter', 'is not', null)
    .select(['key', 'emitter'])
    .orderBy('key')
    .execute()

test('a registry file adds pipes and emitters, also to a tree imported without them', async () => {
  await importWith([steel('s1', 'b2', 60), steel('b2', 'b10', 45)], ['b10'])
  expect(await listPipes()).toEqual([
    { from: 'b2', to: 'b10', lengthM: 45, year: 2004 },
    { from: 's1', to: 'b2', lengthM: 60, year: 2004 },
  ])
  expect(await listEmitters()).toEqual([{ key: 'b10', emitter: 'floor' }])
})

test('a later import does not restore what users changed or removed', async () => {
  await sql`update pipe set length_m = 70 where length_m = 60`.execute(core.db)
  await sql`delete from pipe where length_m = 45`.execute(core.db)
  await core.db.updateTable('node').set({ emitter: 'fan-coil' }).where('key', '=', 'b10').execute()
  // From the other end it is the same pipe.
  await importWith([steel('b2', 's1', 60), steel('b2', 'b10', 45), steel('s2', 'b3', 30)], ['b10', 'b3'])
  expect(await listPipes()).toEqual([
    { from: 's1', to: 'b2', lengthM: 70, year: 2004 },
    { from: 's2', to: 'b3', lengthM: 30, year: 2004 },
  ])
  expect(await listEmitters()).toEqual([
    { key: 'b10', emitter: 'fan-coil' },
    { key: 'b3', emitter: 'floor' },
  ])
})

test('a pipe to an unknown node, to itself or given twice makes the whole file invalid', async () => {
  for (const pipes of [
    [steel('s1', 'nowhere', 5)],
    [steel('s1', 's1', 5)],
    [steel('s1', 'a1', 5), steel('a1', 's1', 5)],
  ])
    await expect(importWith(pipes)).rejects.toThrow('must connect two nodes of the file')
})
