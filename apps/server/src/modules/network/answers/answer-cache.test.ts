import type { Permission } from '@isotherm/contract/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../../core.testkit.ts'
import { createTestCaller } from '../../../platform/http/call.testkit.ts'
import { type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createNetwork } from '../index.ts'
import type { Viewer } from '../nodes/policy.ts'
import { createKeptAnswers } from './answer-cache.ts'

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

/** Everything a viewer can open of the tree; what is refused by its error. */
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

test('whatever is kept of others, everybody is given what they would be if nothing were kept', async () => {
  const viewers = await listViewers()
  const alone: string[] = []
  for (const viewer of viewers) alone.push(await openTree(viewer, createNetwork(core.db, core.devices)))
  // Three sets of permissions on everything, which is one project, three on a station, two on a group and a unit, which
  // is no building; and nothing.
  expect(new Set(alone).size).toBe(9)
  for (const order of [viewers, viewers.toReversed()])
    for (const viewer of order) expect(await openTree(viewer)).toBe(alone[viewers.indexOf(viewer)])
})

test('an answer is kept for its key and its revision alone, and a larger one than may be is not', () => {
  const kept = createKeptAnswers<{ readonly name: string }>(100_000, 50_000)
  const answer = kept.keep('a', 7, 40_000, { name: 'a' })
  expect([kept.find('a', 7), kept.find('a', 8), kept.find('b', 7)]).toEqual([answer, undefined, undefined])
  expect(kept.keep('b', 7, 50_000, { name: 'b' })).toEqual({ name: 'b' })
  expect(kept.find('b', 7)).toBeUndefined()
  for (const key of ['c', 'd']) kept.keep(key, 7, 40_000, { name: key })
  expect(kept.find('a', 7)).toBeUndefined()
})

test('an answer counts for more than what it lists, and one that lists nothing is not kept', () => {
  const kept = createKeptAnswers<{ readonly name: string }>(100_000)
  const keys = Array.from({ length: 1000 }, (_, index) => `key ${index}`)
  for (const key of keys) kept.keep(key, 7, 1, { name: key })
  const found = keys.filter((key) => kept.find(key, 7))
  // Each takes a kilobyte at least.
  expect(found.length).toBeLessThan(100)
  expect(found).toContain('key 999')
  for (const key of keys) expect(kept.keep(`${key} beyond`, 7, 0, { name: key })).toEqual({ name: key })
  expect(keys.filter((key) => kept.find(key, 7))).toEqual(found)
  expect(keys.filter((key) => kept.find(`${key} beyond`, 7))).toEqual([])
})
