import { historyRequest } from '@isotherm/contract/mqtt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestOwners } from '../../../platform/replicas/owners.testkit.ts'
import { type Owners, soleOwner } from '../../../platform/replicas/owners.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createGapWatch } from './gap-watch.ts'
import { createSeenMessages } from './seen-messages.ts'

const gateway: DirectoryEntry = {
  id: 1,
  tenant: 'demo',
  serial: 'c1',
  kind: 'concentrator',
  path: '/1/d1/',
  concentratorId: undefined,
  periodS: 60,
}

function createBench(owners: Pick<Owners, 'owns' | 'onChanged'> = soleOwner) {
  const clock = createTestClock()
  const seen = createSeenMessages()
  const requested: string[] = []
  let [opened, closed] = [0, 0]
  const watch = createGapWatch({
    clock,
    owners,
    seen,
    findGateway: () => gateway,
    async publish(topic, payload) {
      expect(topic).toBe('hx/v1/demo/c1/down/cmd')
      const { boot, from, to } = historyRequest.parse(JSON.parse(payload)).args
      requested.push(`${boot}: ${from}-${to}`)
    },
    opened: (count) => (opened += count),
    closed: (count) => (closed += count),
  })
  return {
    watch,
    take(boot: number, ...numbers: readonly number[]) {
      for (const seq of numbers) {
        seen.add(1, boot, seq)
        watch.note(1)
      }
    },
    wait(seconds: number) {
      for (let second = 0; second < seconds; second += 1) clock.advance(1_000)
    },
    requested: () => requested.splice(0),
    counts: () => [opened, closed],
  }
}

test('numbers that are missing for a minute are requested from their gateway, both ends included', () => {
  const { take, wait, requested, counts } = createBench()
  take(1, 0, 1, 2, 6)
  wait(58)
  expect(requested()).toEqual([])
  wait(6)
  expect(requested()).toEqual(['1: 3-5'])
  expect(counts()).toEqual([1, 0])
})

test('a message that arrives within the minute is never requested', () => {
  const { take, wait, requested, counts } = createBench()
  take(1, 0, 2, 1)
  wait(100)
  expect([requested(), counts()]).toEqual([[], [0, 0]])
})

test('a partly filled gap is requested from its new start, a filled one no more', () => {
  const { take, wait, requested, counts } = createBench()
  take(1, 0, 10)
  wait(64)
  expect(requested()).toEqual(['1: 1-9'])
  take(1, 1, 2, 3)
  wait(604)
  expect(requested()).toEqual(['1: 4-9'])
  take(1, 4, 5, 6, 7, 8, 9)
  wait(3_700)
  expect([requested(), counts()]).toEqual([[], [1, 1]])
})

test('a gateway gets four requests, and more only after it comes back', () => {
  const { watch, take, wait, requested } = createBench()
  take(1, 0, 2)
  wait(60 + 600 + 3_600 + 6 * 3_600 + 30)
  expect(requested()).toHaveLength(4)
  wait(24 * 3_600)
  expect(requested()).toEqual([])
  watch.retry(1)
  wait(64)
  expect(requested()).toEqual(['1: 1-1'])
})

test('a later gap is requested while an earlier one is still open', () => {
  const { take, wait, requested } = createBench()
  take(1, 0, 2)
  wait(64)
  take(1, 4)
  expect(requested()).toEqual(['1: 1-1'])
  wait(64)
  expect(requested()).toEqual(['1: 3-3'])
})

test('a new boot that does not start with 0 has a gap at its start, but the first known boot does not', () => {
  const { take, wait, requested } = createBench()
  take(7, 500)
  wait(70)
  expect(requested()).toEqual([])
  take(8, 3)
  wait(64)
  expect(requested()).toEqual(['8: 0-2'])
})

test('a gap of another server is not requested, until its owner is gone: then within a minute, and again after the usual pauses', () => {
  const owners = createTestOwners()
  const { take, wait, requested, counts } = createBench(owners)
  take(1, 0, 2)
  wait(300)
  expect([requested(), counts()]).toEqual([[], [0, 0]])
  owners.gain(gateway.id)
  wait(64)
  expect([requested(), counts()]).toEqual([['1: 1-1'], [1, 0]])
  wait(604)
  expect(requested()).toEqual(['1: 1-1'])
  take(1, 1)
  wait(4)
  expect(counts()).toEqual([1, 1])
})

test('an owner that dies in the first minute of a gap delays its request by nothing', () => {
  const owners = createTestOwners()
  const { take, wait, requested } = createBench(owners)
  take(1, 0, 2)
  wait(50)
  owners.gain(gateway.id)
  wait(14)
  expect(requested()).toEqual(['1: 1-1'])
})

test('for any order of arrival, the gaps are exactly the missing numbers in between', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60), { minLength: 1 }), (numbers) => {
      const seen = createSeenMessages()
      for (const seq of numbers) seen.add(1, 1, seq)
      const [min, max] = [Math.min(...numbers), Math.max(...numbers)]
      const missing = seen
        .listGaps(1)
        .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
      const expected = Array.from({ length: max - min + 1 }, (_, index) => min + index)
      expect(missing).toEqual(expected.filter((seq) => !numbers.includes(seq)))
      expect(seen.countGaps(1)).toBe(seen.listGaps(1).length)
    }),
  )
})

test('a gap that was given up is not requested again because servers come and go', () => {
  const owners = createTestOwners(gateway.id)
  const { take, wait, requested } = createBench(owners)
  take(1, 0, 2)
  wait(100 * 3_600)
  expect(requested().length).toBeGreaterThan(1)
  const before = requested().length
  owners.gain(gateway.id)
  wait(3_600)
  expect(requested()).toHaveLength(before)
})
