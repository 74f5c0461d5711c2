import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkAnswer } from './check-answer.ts'

const output = z.object({
  datalist: z.array(z.object({ name: z.string(), at: z.number().optional() })),
  byId: z.record(z.string(), z.number()).default({}),
})

test('an answer is parsed, with the defaults of the contract', () => {
  expect(checkAnswer({ output }, { datalist: [{ name: 'a', at: undefined }] })).toEqual({
    datalist: [{ name: 'a' }],
    byId: {},
  })
  expect(() => checkAnswer({ output }, { datalist: [{}] })).toThrow()
})

test.each([
  [{ datalist: [], passwordHash: 'x' }, '/passwordHash'],
  [{ datalist: [{ name: 'a' }, { name: 'b', tel: '1' }] }, '/datalist/1/tel'],
])('a field that the contract does not name is an error, and no part of the answer: %j', (answer, path) => {
  expect(() => checkAnswer({ output }, answer)).toThrow(`the field ${path} of the answer`)
})
