import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendWritten, writeOnce } from './written-once.ts'

/** Counts how often it is written. */
function createCounted() {
  let count = 0
  return {
    count: () => count,
    toJSON() {
      count += 1
      return { name: '一号楼' }
    },
  }
}

async function ask(answer: unknown) {
  const app = Fastify()
  app.get('/', async (_request, reply) => sendWritten(reply, 'ht-api', answer) ?? 'left to whoever asks')
  const { headers, body } = await app.inject('/')
  return { type: headers['content-type'], length: Number(headers['content-length']), body }
}

test('an answer that is given again and again is written once, as any other is', async () => {
  const answer = writeOnce(createCounted())
  const first = await ask(answer)
  expect(first).toEqual({
    type: 'application/json; charset=utf-8',
    length: Buffer.byteLength(first.body),
    body: JSON.stringify({ message: 'success', status: '200', data: { name: '一号楼' } }),
  })
  expect(await ask(answer)).toEqual(first)
  expect(answer.count()).toBe(1)
})

test.each([[{ name: '一号楼' }], [null], ['text'], [undefined]])(
  '%j is left to whoever asks',
  async (answer) => {
    expect((await ask(answer)).body).toBe('left to whoever asks')
  },
)
