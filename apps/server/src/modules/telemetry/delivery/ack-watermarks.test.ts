import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createTestDirectory } from '../messages/sample-directory.testkit.ts'
import { createAckWatermarks } from './ack-watermarks.ts'
import { createSeenMessages } from './seen-messages.ts'

/** Watermarks of one replica, with what it told the first concentrator. */
function createBench() {
  const clock = createTestClock()
  const seen = createSeenMessages()
  const told: string[] = []
  const watermarks = createAckWatermarks({
    clock,
    seen,
    findGateway: createTestDirectory().findById,
    async publish(_topic, payload) {
      told.push(payload)
    },
  })
  return {
    own(seq: number) {
      seen.add(1, 1, seq)
      watermarks.mark(1)
    },
    other(seq: number) {
      seen.add(1, 1, seq)
      watermarks.noteOther(1)
    },
    tell() {
      clock.advance(1_000)
      return told.splice(0)
    },
  }
}

test('a node is told at most once a second, and by the replica that stored its message', () => {
  const { own, other, tell } = createBench()
  for (const seq of [0, 1, 2]) own(seq)
  expect(tell()).toEqual(['{"boot":1,"seq":2}'])
  other(3)
  expect(tell()).toEqual([])
})

test('what another replica says too late for what was told is told again, once nothing is missing', () => {
  const { own, other, tell } = createBench()
  own(0)
  own(3)
  expect(tell()).toEqual(['{"boot":1,"seq":0}'])
  other(1)
  expect(tell()).toEqual(['{"boot":1,"seq":1}'])
  other(2)
  expect(tell()).toEqual(['{"boot":1,"seq":3}'])
  other(4)
  expect(tell()).toEqual([])
})

test('of a node whose first message another replica stored nothing is told before that is known', () => {
  const { own, other, tell } = createBench()
  own(1)
  expect(tell()).toEqual([])
  other(0)
  expect(tell()).toEqual(['{"boot":1,"seq":1}'])
})
