import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import type { SearchScope } from '../../network/index.ts'
import { searchDevices } from './search.pg.ts'

/** More devices outside the scope than the first batch of a search contains. */
const ELSEWHERE = 420

const meter = { kind: 'heat-meter', model: 'T1', concentrator: 'C-b2', periodS: 60, name: '表' } as const

/** Many meters in the building b2, and two with later serials in a building of another station. */
function createSearched() {
  const file = createRegistry()
  file.nodes.push({ key: 'b9', parent: 's2', kind: 'sub-user', level: 6, name: '九号楼' })
  for (let index = 0; index < ELSEWHERE; index += 1) {
    file.devices.push({ ...meter, serial: `Q-1${1_000 + index}`, node: 'b2' })
  }
  file.devices.push({ ...meter, serial: 'Q-12000', node: 'b9' }, { ...meter, serial: 'Q-12001', node: 'b9' })
  return file
}

let core: TestCore
beforeAll(async () => {
  core = await createTestCore({ registry: createSearched() })
})
afterAll(() => core.close())

const subtree = async (key: string): Promise<SearchScope> => ({
  kind: 'subtrees',
  paths: [await core.pathOf(key)],
  ids: [await core.nodeId(key)],
  companyIds: [],
  deviceIds: [],
})
const nodes = async (key: string): Promise<SearchScope> => {
  const inside = [await core.nodeId(key)]
  const tree = { names: [], byId: new Map(), above: () => [] }
  return { kind: 'nodes', inside, tree, deviceIds: [] }
}
const scopes = { subtree, nodes } as const

describe.each(['subtree', 'nodes'] as const)('in a scope of the kind %s', (kind) => {
  const serials = async (key: string, text: string, limit = 30) => {
    const { found, isIncomplete } = await searchDevices(core.db, await scopes[kind](key), text, {
      limit,
      limitMs: 20_000,
    })
    expect(isIncomplete).toBe(false)
    return found.map(({ serial, how }) => `${how} ${serial}`)
  }

  test.each([
    ['q-', []],
    ['q-12', ['start Q-12000', 'start Q-12001']],
    ['Q-12001', ['exact Q-12001']],
    ['2001', ['end Q-12001']],
    ['001', []],
    ['q-11', []],
  ])('%s finds %j', async (text, expected) => {
    expect(await serials('b9', text)).toEqual(expected)
  })

  test('devices are found although many matches outside the scope come first', async () => {
    expect(await serials('b9', 'q-1')).toEqual(['start Q-12000', 'start Q-12001'])
  })

  test('the first of many devices in the order of serials are found', async () => {
    expect(await serials('b2', 'q-1', 5)).toEqual([1000, 1001, 1002, 1003, 1004].map((n) => `start Q-1${n}`))
  })
})
