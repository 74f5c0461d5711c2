import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'

let core: TestCore
const place = { longitudeDeg: 123.4, latitudeDeg: 41.8 }

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

/** The small registry with places of some nodes. */
function withPlaces(keys: readonly string[]) {
  const file = createRegistry()
  const nodes = file.nodes.map((node) => (keys.includes(node.key) ? { ...node, place } : node))
  return importRegistry(core.db, { ...file, nodes })
}

async function listPlaces() {
  const rows = await core.db
    .selectFrom('node_gis')
    .innerJoin('node', 'node.id', 'node_gis.node_id')
    .select(['node.key', 'longitude_deg as longitudeDeg', 'latitude_deg as latitudeDeg'])
    .orderBy('node.key')
    .execute()
  return rows.map(({ key, ...at }) => [key, at])
}

test('a registry file places nodes on the map, also in a tree imported without places', async () => {
  expect(await listPlaces()).toEqual([])
  await withPlaces(['s1', 'b2'])
  expect(await listPlaces()).toEqual([
    ['b2', place],
    ['s1', place],
  ])
})

test('a later import does not restore places that users moved or removed', async () => {
  const [moved, removed] = [await core.nodeId('s1'), await core.nodeId('b2')]
  await core.db.updateTable('node_gis').set({ longitude_deg: 120 }).where('node_id', '=', moved).execute()
  await core.db.deleteFrom('node_gis').where('node_id', '=', removed).execute()
  await withPlaces(['s1', 'b2', 's2'])
  expect(await listPlaces()).toEqual([
    ['s1', { ...place, longitudeDeg: 120 }],
    ['s2', place],
  ])
})
