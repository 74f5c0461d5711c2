import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/core.testkit.ts'
import { createOwners, soleOwner } from './owners.ts'

const KEYS = Array.from({ length: 100 }, (_, index) => index - 50)

/** Servers that hear each other as long as they live. */
function createServers(names: readonly string[]) {
  const clock = createTestClock()
  const living = new Set(names)
  const servers = names.map((name) => ({
    name,
    owners: createOwners({ name, listOthers: () => [...living].filter((one) => one !== name) }, clock),
  }))
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) clock.advance(1_000)
  }
  const countOwners = (key: number) =>
    servers.filter(({ name, owners }) => living.has(name) && owners.owns(key)).length
  return { clock, living, servers, pass, countOwners }
}

test('before they hear of each other all own everything, then each key has one owner, also after one died', () => {
  const { living, pass, countOwners } = createServers(['a', 'b', 'c'])
  expect(new Set(KEYS.map(countOwners))).toEqual(new Set([3]))
  pass(1_000)
  expect(new Set(KEYS.map(countOwners))).toEqual(new Set([1]))
  living.delete('b')
  pass(1_000)
  expect(new Set(KEYS.map(countOwners))).toEqual(new Set([1]))
})

test('a server learns which keys it gains when another one dies, and that it gains none when one joins', () => {
  const { living, servers, pass } = createServers(['a', 'b'])
  const [a, b] = servers
  pass(1_000)
  const ofB = KEYS.filter((key) => b?.owners.owns(key))
  const gains: number[][] = []
  a?.owners.onChanged((gained) => gains.push(KEYS.filter(gained)))
  living.delete('b')
  pass(1_000)
  living.add('b')
  pass(3_000)
  expect(gains).toEqual([ofB, []])
})

test('a server without replicas owns everything', () => {
  const { clock } = createServers([])
  expect(createOwners(undefined, clock)).toBe(soleOwner)
  expect(KEYS.every((key) => soleOwner.owns(key))).toBe(true)
})

test('a server that stood still takes nobody for dead whose packets wait to be read', () => {
  let now = 0
  let next = () => {}
  const clock = {
    elapsed: () => now,
    setTimeout(run: () => void) {
      next = run
      return { cancel: () => undefined }
    },
  }
  let others = ['b']
  const owners = createOwners({ name: 'a', listOthers: () => others }, clock)
  const check = (ms: number) => {
    now += ms
    next()
  }
  check(1_000)
  expect(owners.count()).toBe(2)
  others = []
  check(12_000)
  expect(owners.count()).toBe(2)
  others = ['b']
  check(1_000)
  expect(owners.count()).toBe(2)
  others = []
  check(1_000)
  expect(owners.count()).toBe(1)
})
