import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredRun } from '../messages/message-key.ts'
import { createSeenMessages } from './seen-messages.ts'

test('exactly the added messages are known, in any order of arrival', () => {
  const key = fc.tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 40 }),
  )
  fc.assert(
    fc.property(fc.array(key), fc.array(key), (added, probes) => {
      const seen = createSeenMessages()
      for (const message of added) seen.add(...message)
      const expected = new Set(added.map(String))
      for (const probe of [...added, ...probes]) expect(seen.has(...probe)).toBe(expected.has(String(probe)))
    }),
  )
})

test('a run is known as if each of its numbers was added, even if runs touch or overlap', () => {
  const run = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 }))
  fc.assert(
    fc.property(fc.array(run), (added) => {
      const [byRun, byNumber] = [createSeenMessages(), createSeenMessages()]
      for (const [from, more] of added) {
        byRun.addRun(1, 1, from, from + more)
        for (let seq = from; seq <= from + more; seq += 1) byNumber.add(1, 1, seq)
        expect(byRun.listGaps(1)).toEqual(byNumber.listGaps(1))
        expect(byRun.findWatermark(1)).toEqual(byNumber.findWatermark(1))
      }
      for (let seq = 0; seq <= 82; seq += 1) expect(byRun.has(1, 1, seq)).toBe(byNumber.has(1, 1, seq))
    }),
  )
})

test('the watermark is the last number before the first gap of the newest boot', () => {
  const seen = createSeenMessages()
  for (const seq of [0, 1, 2, 5, 6]) seen.add(7, 3, seq)
  expect(seen.findWatermark(7)).toEqual({ boot: 3, seq: 2 })
  seen.add(7, 3, 4)
  seen.add(7, 3, 3)
  expect(seen.findWatermark(7)).toEqual({ boot: 3, seq: 6 })
  seen.add(7, 4, 0)
  seen.add(7, 3, 7)
  expect(seen.findWatermark(7)).toEqual({ boot: 4, seq: 0 })
})

test('there is no watermark while the first numbers of a boot are missing', () => {
  const seen = createSeenMessages()
  seen.add(7, 3, 20)
  expect(seen.findWatermark(7)).toBeUndefined()
  for (let seq = 0; seq < 20; seq += 1) seen.add(7, 3, seq)
  expect(seen.findWatermark(7)).toEqual({ boot: 3, seq: 20 })
})

test('a boot whose first run was forgotten has no watermark', () => {
  const seen = createSeenMessages()
  for (let seq = 0; seq < 20_000; seq += 2) seen.add(7, 3, seq)
  expect(seen.findWatermark(7)).toBeUndefined()
})

test('a watermark never covers a number that was not added', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 })), (added) => {
      const seen = createSeenMessages()
      for (const seq of added) seen.add(1, 1, seq)
      const firstGap = Array.from({ length: 32 }, (_, seq) => seq).findIndex((seq) => !added.includes(seq))
      expect(seen.findWatermark(1)).toEqual(firstGap > 0 ? { boot: 1, seq: firstGap - 1 } : undefined)
    }),
  )
})

test('a gateway that never sent has no watermark', () => {
  expect(createSeenMessages().findWatermark(1)).toBeUndefined()
})

test('of numbers that jump the lowest are forgotten, and no number is wrongly known', () => {
  const seen = createSeenMessages()
  for (let seq = 0; seq < 20_000; seq += 2) seen.add(1, 1, seq)
  expect(seen.has(1, 1, 0)).toBe(false)
  expect(seen.has(1, 1, 19_998)).toBe(true)
  expect(seen.has(1, 1, 19_997)).toBe(false)
})

test('the runs and gaps of many gateways and boots are those of the plain sets of their numbers', () => {
  const key = fc.tuple(fc.nat(3), fc.nat(5), fc.nat(12))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 120 }), (added) => {
      const seen = createSeenMessages()
      for (const message of added) seen.add(...message)
      const runs = [...seen.listRuns()]
      const numbers = runs.flatMap(({ gatewayId, boot, from, to }) =>
        Array.from({ length: to - from + 1 }, (_, index) => `${gatewayId},${boot},${from + index}`),
      )
      expect(numbers.toSorted()).toEqual([...new Set(added.map(String))].toSorted())
      for (const { gatewayId, boot, from, to } of runs) {
        expect(seen.findEnd(gatewayId, boot, from)).toBe(to)
        expect(seen.findEnd(gatewayId, boot, to + 1)).toBeUndefined()
      }
      for (const gatewayId of [0, 1, 2, 3]) {
        expect(seen.countGaps(gatewayId)).toBe(seen.listGaps(gatewayId).length)
        for (const { boot, from, to } of seen.listGaps(gatewayId))
          for (let seq = from; seq <= to; seq += 1) expect(seen.has(gatewayId, boot, seq)).toBe(false)
      }
    }),
  )
})

test('of many boots the earliest are forgotten, never the newest, and another gateway can follow in their place', () => {
  const seen = createSeenMessages()
  seen.addRun(1, 900, 0, 9)
  for (let boot = 1; boot <= 40; boot += 1) seen.addRun(1, boot, 0, boot)
  expect(seen.findWatermark(1)).toEqual({ boot: 900, seq: 9 })
  expect(seen.has(1, 1, 0)).toBe(false)
  expect(seen.findWatermark(1, 40)).toEqual({ boot: 40, seq: 40 })
  const runs = [...seen.listRuns()]
  expect(runs.map(({ boot }) => boot)).toEqual([900, ...Array.from({ length: 15 }, (_, index) => 26 + index)])
  for (let boot = 1; boot <= 5; boot += 1) seen.addRun(2, boot, 3, 4)
  expect([...seen.listRuns()].filter(({ gatewayId }) => gatewayId === 1)).toEqual(runs)
})

test('a caller that waits in the list gets each run with its own gateway, also of boots that are forgotten meanwhile', () => {
  const seen = createSeenMessages()
  for (let boot = 1; boot <= 16; boot += 1) seen.addRun(1, boot, 0, boot)
  const rest: StoredRun[] = []
  const listed = seen.listRuns()[Symbol.iterator]()
  listed.next()
  seen.addRun(1, 17, 0, 1)
  seen.addRun(1, 18, 0, 1)
  seen.addRun(9, 500, 0, 77)
  for (let next = listed.next(); !next.done; next = listed.next()) rest.push(next.value)
  expect(rest.filter(({ gatewayId }) => gatewayId === 1).map(({ boot }) => boot)).toEqual(
    Array.from({ length: 15 }, (_, index) => index + 2),
  )
  expect(rest.at(-1)).toEqual({ gatewayId: 9, boot: 500, from: 0, to: 77 })
})
