import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Scope } from '../../../platform/scope/scope.ts'
import { LOOKUPS_AT_ONCE, shareLookups } from './shared-lookups.ts'

const scopeOf = (path: string): Scope => ({ kind: 'paths', paths: [path] })

/** Lookups that answer when the test lets them. */
function createBench() {
  const requested: { readonly scope: Scope; readonly answer: PromiseWithResolvers<readonly string[]> }[] = []
  const lookups = shareLookups({
    findParts: async () => new Map(),
    showsCompany: async () => true,
    findKeys(scope) {
      const answer = Promise.withResolvers<readonly string[]>()
      requested.push({ scope, answer })
      return answer.promise
    },
  })
  return { requested, lookups }
}

test('equal lookups at the same time run once, and all callers get the answer', async () => {
  const { requested, lookups } = createBench()
  const all = Promise.all(Array.from({ length: 2_000 }, () => lookups.findKeys(scopeOf('/1/'), ['/1/4/'])))
  await setImmediate()
  requested[0]?.answer.resolve(['4'])
  expect(await all).toEqual(Array.from({ length: 2_000 }, () => ['4']))
  expect(requested).toHaveLength(1)
})

test('a running lookup is not shared: its answer may be older than the latest event', async () => {
  const { requested, lookups } = createBench()
  const before = lookups.findKeys(scopeOf('/1/'), ['/1/4/'])
  await setImmediate()
  const after = lookups.findKeys(scopeOf('/1/'), ['/1/4/'])
  await setImmediate()
  expect(requested).toHaveLength(2)
  requested[1]?.answer.resolve(['new'])
  requested[0]?.answer.resolve(['old'])
  expect([await before, await after]).toEqual([['old'], ['new']])
})

test('only few different lookups run at the same time, and all are answered', async () => {
  const { requested, lookups } = createBench()
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}/`)
  const all = Promise.all(paths.map((path) => lookups.findKeys(scopeOf(path), [])))
  for (const index of paths.keys()) {
    await setImmediate()
    await setImmediate()
    expect(requested).toHaveLength(Math.min(paths.length, index + LOOKUPS_AT_ONCE))
    requested[index]?.answer.resolve([String(index)])
  }
  expect(await all).toEqual(paths.map((_, index) => [String(index)]))
})

test('a failed lookup rejects for all its callers, and makes room for the next', async () => {
  const { requested, lookups } = createBench()
  for (let round = 0; round <= LOOKUPS_AT_ONCE; round++) {
    const both = Promise.allSettled([
      lookups.findKeys(scopeOf('/1/'), []),
      lookups.findKeys(scopeOf('/1/'), []),
    ])
    await setImmediate()
    await setImmediate()
    requested[round]?.answer.reject(new Error('the database is unavailable'))
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  }
  expect(requested).toHaveLength(LOOKUPS_AT_ONCE + 1)
})
