import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createTestApp } from '../app.testkit.ts'

/** Requests /readyz of a server with a store that answers after `answerMs`. */
async function requestReadiness(answerMs: number) {
  const clock = createTestClock()
  const answer = Promise.withResolvers<boolean>()
  const requested = Promise.withResolvers<void>()
  const app = await createTestApp({
    clock,
    checks: {
      slow: () => {
        clock.setTimeout(() => answer.resolve(true), answerMs)
        requested.resolve()
        return answer.promise
      },
      quick: async () => true,
    },
  })
  try {
    const response = app.inject({ url: '/readyz' })
    await requested.promise
    // The quick store answers first.
    await setImmediate()
    clock.advance(answerMs)
    const { statusCode, body } = await response
    return { statusCode, ...JSON.parse(body) }
  } finally {
    await app.close()
  }
}

test('a server is ready while its stores answer within 4 s', async () => {
  expect(await requestReadiness(3_900)).toEqual({
    statusCode: 200,
    status: 'ready',
    checks: { slow: true, quick: true },
  })
})

test('a server is not ready when a store answers later, and says which', async () => {
  expect(await requestReadiness(4_100)).toEqual({
    statusCode: 503,
    status: 'not ready',
    checks: { slow: false, quick: true },
  })
})
