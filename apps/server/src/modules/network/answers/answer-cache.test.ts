import type { Permission } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCaller } from '../../../platform/http/call.testkit.ts'
import { type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { createNetwork } from '../index.ts'
import type { Viewer } from '../nodes/policy.ts'
import { createAnswerCache } from './answer-cache.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const permissionSets: readonly (readonly Permission[])[] = [[], ['pg-groupmanage'], ['ps-oraigionsys']]

async function listViewers(): Promise<readonly Viewer[]> {
  const scopes: readonly Scope[] = [
    scopeOfEverything,
    { kind: 'paths', paths: [await core.pathOf('p')] },
    { kind: 'paths', paths: [await core.pathOf('s1')] },
    { kind: 'paths', paths: [await core.pathOf('b2u1'), await core.pathOf('s2')] },
    { kind: 'paths', paths: [] },
  ]
  return scopes.flatMap((scope) =>
    permissionSets.map((permissions) => createTestCaller({ scope, permissions: new Set(permissions) })),
  )
}

/** Opens the tree in every way a viewer can; a refused call gives its error code. */
async function openTree(viewer: Viewer, network = core.network): Promise<string> {
  const [projectId, id] = [await core.nodeId('p'), await core.nodeId('s1')]
  const chain = (await core.pathOf('a1')).split('/').filter(Boolean).join(',')
  const filter = [{ field: 'parentids', cond: 'regex', vrex: `^${chain}(,|$)` } as const]
  const limiter = { page: 1, size: 1000 }
  const opened = await Promise.allSettled([
    network.getGroups(viewer, { projectId }),
    network.getGroups(viewer, { projectId, id }),
    network.getGroups(viewer, { projectId, id, devCountIsContainChildren: 1 }),
    network.listSubUsers(viewer, { filter, limiter }),
    network.listSubUsers(viewer, { filter, limiter, isContainArea: 1 }),
  ])
  return JSON.stringify(opened.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code)))
}

test('a cached answer equals the answer without a cache, whatever was requested before', async () => {
  const viewers = await listViewers()
  const alone: string[] = []
  for (const viewer of viewers) alone.push(await openTree(viewer, createNetwork(core.db, core.devices)))
  // Different answers: 3 permission sets on everything (one project), 3 on a station, 2 on a unit with a station
  // (a unit is not a building), 1 without grants.
  expect(new Set(alone).size).toBe(9)
  for (const order of [viewers, viewers.toReversed()])
    for (const viewer of order) expect(await openTree(viewer)).toBe(alone[viewers.indexOf(viewer)])
})

test('an answer is cached for its key and revision only, and not if it is too large', () => {
  const cache = createAnswerCache<{ readonly name: string }>(100_000, 50_000)
  const answer = cache.store('a', 7, 40_000, { name: 'a' })
  expect([cache.find('a', 7), cache.find('a', 8), cache.find('b', 7)]).toEqual([answer, undefined, undefined])
  expect(cache.store('b', 7, 50_000, { name: 'b' })).toEqual({ name: 'b' })
  expect(cache.find('b', 7)).toBeUndefined()
  for (const key of ['c', 'd']) cache.store(key, 7, 40_000, { name: key })
  expect(cache.find('a', 7)).toBeUndefined()
})

test('the size of an answer includes a fixed overhead, and an empty answer is not cached', () => {
  const cache = createAnswerCache<{ readonly name: string }>(100_000)
  const keys = Array.from({ length: 1000 }, (_, index) => `key ${index}`)
  for (const key of keys) cache.store(key, 7, 1, { name: key })
  const found = keys.filter((key) => cache.find(key, 7))
  // Each entry takes at least a kilobyte.
  expect(found.length).toBeLessThan(100)
  expect(found).toContain('key 999')
  for (const key of keys) expect(cache.store(`${key} beyond`, 7, 0, { name: key })).toEqual({ name: key })
  expect(keys.filter((key) => cache.find(key, 7))).toEqual(found)
  expect(keys.filter((key) => cache.find(`${key} beyond`, 7))).toEqual([])
})
