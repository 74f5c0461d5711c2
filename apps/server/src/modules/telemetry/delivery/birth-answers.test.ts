import { expect, test } from 'vitest'
import { createTestOwners } from '../../../platform/replicas/owners.testkit.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createTestDirectory } from '../messages/sample-directory.testkit.ts'
import { createBirthAnswers } from './birth-answers.ts'

const [MINE, OTHER] = [1, 5]

function createBench() {
  const clock = createTestClock()
  const { findById } = createTestDirectory()
  const owners = createTestOwners(MINE)
  const answered: string[] = []
  const births = createBirthAnswers({
    owners,
    clock,
    findGateway: findById,
    answer: (gateway, isOnline) => answered.push(`${gateway.id} ${isOnline}`),
  })
  return {
    clock,
    take(id: number, isOnline = true) {
      const gateway = findById(id)
      if (gateway) births.take(gateway, isOnline)
    },
    gain: owners.gain,
    answered: () => answered.splice(0),
  }
}

test('the owner of a gateway answers its birth, another server does not', () => {
  const { take, answered } = createBench()
  take(MINE)
  take(OTHER)
  take(MINE, false)
  expect(answered()).toEqual([`${MINE} true`, `${MINE} false`])
})

test('the next owner answers a birth that the former one may have left, once', () => {
  const { clock, take, gain, answered } = createBench()
  take(OTHER)
  clock.advance(12_000)
  gain(MINE)
  expect(answered()).toEqual([])
  gain(OTHER)
  gain(OTHER)
  expect(answered()).toEqual([`${OTHER} true`])
})

test('a birth of long ago is not answered by the next owner: the gateway has sent messages since', () => {
  const { clock, take, gain, answered } = createBench()
  take(OTHER)
  clock.advance(31_000)
  gain(OTHER)
  expect(answered()).toEqual([])
})
