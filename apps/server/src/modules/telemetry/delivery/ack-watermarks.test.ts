import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createTestDirectory } from '../messages/sample-directory.testkit.ts'
import { createAckWatermarks, GAP_CHECKS_MS } from './ack-watermarks.ts'
import { createSeenMessages } from './seen-messages.ts'

/** Watermarks of one replica, and what it sends to the first concentrator. */
function createBench() {
  const clock = createTestClock()
  const seen = createSeenMessages()
  const reported: string[] = []
  const watermarks = createAckWatermarks({
    clock,
    seen,
    findGateway: createTestDirectory().findById,
    async publish(_topic, payload) {
      reported.push(payload)
    },
  })
  return {
    own(seq: number, boot = 1) {
      seen.add(1, boot, seq)
      watermarks.mark(1, boot)
    },
    other(seq: number, boot = 1) {
      seen.add(1, boot, seq)
      watermarks.recordOther(1, boot)
    },
    report() {
      clock.advance(1_000)
      return reported.splice(0)
    },
    clock,
    takeDueGap: watermarks.takeDueGap,
  }
}

test('a gateway gets its watermark at most once a second, from the replica that stored its message', () => {
  const { own, other, report } = createBench()
  for (const seq of [0, 1, 2]) own(seq)
  expect(report()).toEqual(['{"boot":1,"seq":2}'])
  other(3)
  expect(report()).toEqual([])
})

test('if another replica reports a message after the watermark was sent, it is sent again once it has no gap', () => {
  const { own, other, report } = createBench()
  own(0)
  own(3)
  expect(report()).toEqual(['{"boot":1,"seq":0}'])
  other(1)
  expect(report()).toEqual(['{"boot":1,"seq":1}'])
  other(2)
  expect(report()).toEqual(['{"boot":1,"seq":3}'])
  other(4)
  expect(report()).toEqual([])
})

test('a gateway whose first message another replica stored gets no watermark before that is known', () => {
  const { own, other, report } = createBench()
  own(1)
  expect(report()).toEqual([])
  other(0)
  expect(report()).toEqual(['{"boot":1,"seq":1}'])
})

test('messages of an earlier boot that a gateway sends after a restart get a watermark of that boot', () => {
  const { own, report } = createBench()
  own(0, 1)
  expect(report()).toEqual(['{"boot":1,"seq":0}'])
  own(0, 2)
  expect(report()).toEqual(['{"boot":2,"seq":0}'])
  own(1, 1)
  own(2, 1)
  expect(report()).toEqual(['{"boot":1,"seq":2}', '{"boot":2,"seq":0}'])
  own(4, 1)
  own(1, 2)
  expect(report()).toEqual(['{"boot":1,"seq":2}', '{"boot":2,"seq":1}'])
})

test('if another replica fills a gap of an earlier boot, its watermark is sent again', () => {
  const { own, other, report } = createBench()
  own(0, 1)
  own(0, 2)
  report()
  own(2, 1)
  expect(report()).toEqual(['{"boot":1,"seq":0}', '{"boot":2,"seq":0}'])
  other(1, 1)
  expect(report()).toEqual(['{"boot":1,"seq":2}', '{"boot":2,"seq":0}'])
})

test('a gap before the watermark is checked at growing intervals, further back each time, and then given up', () => {
  const { own, report, clock, takeDueGap } = createBench()
  own(0)
  own(2)
  report()
  const noticedAt = clock.now()
  expect(takeDueGap()).toBeUndefined()
  let age = 0
  for (const pause of GAP_CHECKS_MS) {
    clock.advance(pause)
    age += pause
    expect(takeDueGap()).toBe(noticedAt - 4 * age)
    expect(takeDueGap()).toBeUndefined()
  }
  clock.advance(86_400_000)
  expect(takeDueGap()).toBeUndefined()
})

test('a gap that fills is not checked, and one more gap is checked from the start', () => {
  const { own, other, report, clock, takeDueGap } = createBench()
  own(0)
  own(2)
  report()
  other(1)
  report()
  clock.advance(GAP_CHECKS_MS[0])
  expect(takeDueGap()).toBeUndefined()
  own(4)
  report()
  clock.advance(GAP_CHECKS_MS[0])
  expect(takeDueGap()).toBeDefined()
  own(6)
  report()
  clock.advance(GAP_CHECKS_MS[0])
  expect(takeDueGap()).toBeDefined()
})
