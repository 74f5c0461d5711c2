import { quality } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createSteadyClock } from '../../../platform/tasks/steady-clock.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { parseReadings } from '../messages/parse-message.ts'
import { judgeClock } from './clock-offset.ts'
import { type ClockEvent, createGatewayClocks } from './gateway-clocks.ts'

const gateway: DirectoryEntry = {
  id: 1,
  tenant: 'demo',
  serial: 'c1',
  kind: 'concentrator',
  path: '/1/d1/',
  concentratorId: undefined,
  periodS: 60,
}

function createBench() {
  const clock = createTestClock()
  const reported: string[] = []
  const sent: string[] = []
  const changes: ClockEvent[] = []
  const clocks = createGatewayClocks({
    clock,
    steady: createSteadyClock(clock),
    sink: {
      open: (id, rule, _since, { offsetS }) => reported.push(`${id} ${rule} ${offsetS}`),
      close: (id, rule) => reported.push(`${id} ${rule} right`),
    },
    async publish(topic, payload) {
      sent.push(`${topic} ${payload}`)
    },
    changed: (event) => changes.push(event),
  })
  /** Measures messages of a clock that is behind by `offsetS`, one per minute; returns the correction of each, s. */
  function take(count: number, offsetS: number): number[] {
    return Array.from({ length: count }, () => {
      clock.advance(60_000)
      return clocks.measure(gateway, clock.now() - offsetS * 1_000, clock.now()) / 1_000
    })
  }
  return {
    clock,
    clocks,
    take,
    changes: () => changes.splice(0),
    reported: () => reported.splice(0),
    sent: () => sent.splice(0),
  }
}

test('the median of the offsets decides, and fewer than five are not judged', () => {
  expect(judgeClock([600_000, 600_000, 600_000, 600_000])).toEqual({ state: 'right', offsetMs: 0 })
  expect(judgeClock([600_000, 600_000, 600_000, 600_000, 0])).toEqual({ state: 'wrong', offsetMs: 600_000 })
})

test('up to five seconds are ignored, up to two minutes are reported, more is corrected', () => {
  for (const [offsetS, added, words] of [
    [5, 0, []],
    [-5, 0, []],
    [6, 0, ['1 node-clock 6']],
    [120, 0, ['1 node-clock 120']],
    [121, 121, ['1 node-clock 121']],
    [-900, -900, ['1 node-clock -900']],
  ] as const) {
    const { take, reported } = createBench()
    expect(take(20, offsetS).at(-1)).toBe(added)
    expect(reported()).toEqual(words)
  }
})

test('one message that is off by ten minutes, or ten delayed ones, do not make a right clock wrong', () => {
  const { take, reported } = createBench()
  take(20, 0)
  expect(take(1, 600)).toEqual([0])
  expect(take(1, -600)).toEqual([0])
  take(20, 0)
  expect(take(10, 900)).toEqual(new Array(10).fill(0))
  expect(reported()).toEqual([])
})

test('any number of messages that were delayed together do not make a right clock wrong', () => {
  const { clock, clocks, take, reported } = createBench()
  take(20, 0)
  const added = Array.from({ length: 1_000 }, (_, index) => {
    clock.advance(20)
    return clocks.measure(gateway, clock.now() - 300_000 + index * 200, clock.now())
  })
  expect(new Set(added)).toEqual(new Set([0]))
  expect(reported()).toEqual([])
})

test('a clock that becomes wrong is corrected after more than half of twenty messages, by a constant amount', () => {
  const { take, reported } = createBench()
  take(20, 0)
  const added = take(20, 600)
  expect(added.filter((one) => one === 0)).toHaveLength(10)
  expect(added.at(-1)).toBe(600)
  expect(take(3, 603)).toEqual([600, 600, 600])
  expect(reported()).toHaveLength(1)
})

test('a clock that was set is right from its first message on', () => {
  const { take, reported } = createBench()
  take(20, 600)
  expect(reported()).toEqual(['1 node-clock 600'])
  expect(take(10, 1)).toEqual(new Array(10).fill(0))
  expect(reported()).toEqual(['1 node-clock right'])
})

test('a delayed message of a wrong clock is corrected; a message that was sent after its arrival is not', () => {
  const { take } = createBench()
  take(20, 600)
  expect(take(1, 2_000)).toEqual([600])
  expect(take(1, 300)).toEqual([0])
})

test('a gateway gets the time when it connects, once a day, and as soon as its clock is wrong', () => {
  const { clock, clocks, take, sent } = createBench()
  clocks.greet(gateway)
  expect(sent()).toEqual([`hx/v1/demo/c1/down/time {"now":${clock.now()}}`])
  take(1_439, 0)
  expect(sent()).toEqual([])
  take(1, 0)
  expect(sent()).toHaveLength(1)
  take(120, 900)
  expect(sent().length).toBeGreaterThan(0)
})

test.each([60, 600])('a finding from before a restart, %d s, ends when the clock is right', (offsetS) => {
  const { clocks, take, reported } = createBench()
  clocks.restore(1, offsetS * 1_000)
  expect(take(9, 0)).toEqual(new Array(9).fill(0))
  expect(reported()).toEqual([])
  take(1, 0)
  expect(reported()).toEqual(['1 node-clock right'])
})

test('after a restart a wrong clock is corrected from its first message on, live and back-fill, and reported once', () => {
  const { clocks, take, reported } = createBench()
  clocks.restore(1, 600_000)
  expect(clocks.correctionOf(1)).toBe(600_000)
  expect(take(30, 602)).toEqual(new Array(30).fill(600))
  expect(reported()).toEqual([])
})

test('after a restart the offset of a clock that is off but not corrected is known', () => {
  const { clocks, take } = createBench()
  clocks.restore(1, 60_000)
  expect([clocks.toleratedOffsetOf(1), clocks.correctionOf(1)]).toEqual([60_000, 0])
  expect(take(3, 60)).toEqual([0, 0, 0])
})

test('of a finding without an offset only the finding itself is restored', () => {
  const { clocks, take, reported } = createBench()
  clocks.restore(1, undefined)
  expect(take(3, 600)).toEqual([0, 0, 0])
  expect(reported()).toEqual([])
})

test('a clock whose offset changed while the server was down is measured again', () => {
  const { clocks, take } = createBench()
  clocks.restore(1, 600_000)
  expect(take(20, 1_800).at(-1)).toBe(1_800)
})

test('instants of a gateway are corrected and flagged before the check for future instants', () => {
  const received = 1_800_000_000_000
  const toBytes = (ts?: number) =>
    Buffer.from(JSON.stringify({ v: 1, boot: 1, seq: 0, ts: 1, d: [{ id: 'c1', ts, m: { rssi: -60 } }] }))
  const parse = (ts: number | undefined, offsetMs: number) =>
    parseReadings(toBytes(ts), {
      received,
      retainedSince: 0,
      setBackMs: 0,
      findDevice: () => gateway,
      offsetOf: () => offsetMs,
    })
  const ahead = received + HOUR_MS
  expect(parse(ahead, 0)).toMatchObject({ samples: [], rejects: [{ reason: 'future-instant' }] })
  expect(parse(ahead, -HOUR_MS)).toMatchObject({
    samples: [
      { ts: received, quality: quality.clockCorrected, values: [{ quality: quality.clockCorrected }] },
    ],
  })
  expect(parse(received - 60_000, HOUR_MS)).toMatchObject({ rejects: [{ reason: 'future-instant' }] })
  expect(parse(undefined, -HOUR_MS)).toMatchObject({ samples: [{ ts: received, quality: 0 }] })
})

test('another replica applies a judgement immediately, and corrects by the same to the millisecond', () => {
  const [one, other] = [createBench(), createBench()]
  expect(one.take(20, 600.123).at(-1)).toBe(600.123)
  for (const event of one.changes()) other.clocks.learn(event)
  expect(other.clocks.correctionOf(1)).toBe(600_123)
  expect(other.take(3, 602)).toEqual([600.123, 600.123, 600.123])
  expect([other.reported(), other.changes()]).toEqual([[], []])
  expect(other.clocks.listJudged()).toMatchObject([{ gatewayId: 1, state: 'wrong', correctionMs: 600_123 }])
})

test('replicas that judge at the same time, each by its own messages, agree on one of the two amounts', () => {
  const [one, other] = [createBench(), createBench()]
  one.take(20, 600)
  other.take(20, 603)
  const [ofOne, ofOther] = [one.changes(), other.changes()]
  for (const event of ofOther) one.clocks.learn(event)
  for (const event of ofOne) other.clocks.learn(event)
  expect([one.take(1, 601), other.take(1, 601)]).toEqual([[600], [600]])
})

test('a clock that one replica sees set is right for the others, and each of them can end its finding', () => {
  const [one, other] = [createBench(), createBench()]
  one.take(20, 600)
  for (const event of one.changes()) other.clocks.learn(event)
  one.take(1, 0)
  for (const event of one.changes()) other.clocks.learn(event)
  expect(other.clocks.listJudged()).toMatchObject([{ gatewayId: 1, state: 'right', correctionMs: 0 }])
  expect(other.take(10, 1)).toEqual(new Array(10).fill(0))
  expect(other.reported()).toEqual(['1 node-clock right'])
})

test('a judgement of another replica replaces a restored one', () => {
  const { clocks } = createBench()
  clocks.restore(1, 600_000)
  clocks.learn({ gatewayId: 1, state: 'wrong', correctionMs: 600_123, offsetMs: 600_400, judgedAt: 1 })
  expect(clocks.correctionOf(1)).toBe(600_123)
  clocks.learn({ gatewayId: 1, state: 'off', correctionMs: 0, offsetMs: MINUTE_MS, judgedAt: 2 })
  expect([clocks.correctionOf(1), clocks.toleratedOffsetOf(1)]).toEqual([0, 60_000])
})

test('a judgement that is older than the known one is ignored, whatever its direction', () => {
  const [one, other, third] = [createBench(), createBench(), createBench()]
  one.take(20, 600)
  const wrong = one.changes()
  for (const event of wrong) {
    other.clocks.learn(event)
    third.clocks.learn(event)
  }
  one.take(1, 0)
  const right = one.changes()
  expect(right).toMatchObject([{ state: 'right' }])
  for (const event of right) other.clocks.learn(event)
  // The third replica does not know that the clock was set, and sends its old judgement on request.
  for (const event of third.clocks.listJudged()) for (const { clocks } of [one, other]) clocks.learn(event)
  expect([one, other].map(({ clocks }) => clocks.correctionOf(1))).toEqual([0, 0])
  expect([one, other].map(({ reported }) => reported().at(-1))).toEqual(['1 node-clock 600', undefined])
  // It learns of it from the replica that it asks.
  for (const event of other.clocks.listJudged()) third.clocks.learn(event)
  expect(third.clocks.correctionOf(1)).toBe(0)
})

test('a clock that became right is reported as such for a day', () => {
  const { clock, clocks, take } = createBench()
  take(20, 600)
  take(1, 0)
  expect(clocks.listJudged()).toMatchObject([{ gatewayId: 1, state: 'right' }])
  clock.advance(DAY_MS)
  expect(clocks.listJudged()).toMatchObject([{ gatewayId: 1, state: 'right' }])
  clock.advance(1)
  expect(clocks.listJudged()).toEqual([])
})

test('of consecutive judgements that replicas receive in another order the later applies, even with a larger offset', () => {
  const [one, other] = [createBench(), createBench()]
  other.clock.advance(1_000)
  one.take(20, 600)
  other.take(20, 603)
  const [ofOne, ofOther] = [one.changes(), other.changes()]
  for (const event of ofOther) one.clocks.learn(event)
  for (const event of ofOne) other.clocks.learn(event)
  expect([one.take(1, 601), other.take(1, 601)]).toEqual([[603], [603]])
})

test('an own measurement replaces the judgement of a replica whose machine is an hour fast', () => {
  const [one, other] = [createBench(), createBench()]
  other.clock.advance(HOUR_MS)
  other.take(20, 600)
  for (const event of other.changes()) one.clocks.learn(event)
  expect(one.take(2, 0)).toEqual([0, 0])
  for (const event of one.changes()) other.clocks.learn(event)
  expect(other.clocks.correctionOf(1)).toBe(0)
})

test.each([3_600, -3_600])(
  'after the clock of the machine is set by %i s, gateways that did not follow are not judged for a day',
  (jumpS) => {
    const { clock, clocks, take, reported, sent } = createBench()
    take(20, 0)
    sent()
    clock.jump(jumpS * 1_000)
    expect(take(200, jumpS)).toEqual(Array.from({ length: 200 }, () => 0))
    expect([reported(), sent()]).toEqual([[], []])
    const now = clock.now()
    expect(clocks.arrivalOf(now - jumpS * 1_000 - 200, now)).toBe(now - jumpS * 1_000)
    expect(clocks.arrivalOf(now - 200, now)).toBe(now)
    // One that is really wrong is found all the same.
    expect(take(20, jumpS + 900).at(-1)).toBe(jumpS + 900)
  },
)

test('a day after the clock of the machine was set it is believed', () => {
  const { clock, take, reported } = createBench()
  take(20, 0)
  clock.jump(-3_600_000)
  take(1, -3_600)
  clock.advance(DAY_MS)
  expect(take(20, -3_600).at(-1)).toBe(-3_600)
  expect(reported()).toEqual(['1 node-clock -3600'])
})
