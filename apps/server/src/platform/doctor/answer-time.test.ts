import { expect, test } from 'vitest'
import { judgeAnswer } from './answer-time.ts'

test('an engine that takes half a second for a question is a warning with the time', () => {
  expect(judgeAnswer('PostgreSQL', '17.2', 499)).toEqual({
    state: 'ok',
    what: 'PostgreSQL: answers, version 17.2',
  })
  expect(judgeAnswer('PostgreSQL', '17.2', 1_040)).toMatchObject({
    state: 'warning',
    what: 'PostgreSQL: answers after 1.0 s, version 17.2: pages are slow, and calls may fail',
  })
})
