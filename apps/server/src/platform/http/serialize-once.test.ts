import type { Backend } from '@isotherm/contract/endpoint'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendSerialized, serializeOnce } from './serialize-once.ts'

/** Counts how often it is serialized. */
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

async function request(
  answer: unknown,
  backend: Backend = 'ht-api',
  see: (payload: unknown) => void = () => {},
) {
  const app = Fastify()
  app.addHook('onSend', async (_request, _reply, payload) => see(payload))
  app.get('/', async (_request, reply) => sendSerialized(reply, backend, answer) ?? 'not sent')
  const { headers, body } = await app.inject('/')
  return { type: headers['content-type'], length: Number(headers['content-length']), body }
}

test('a marked answer is serialized once and has the usual envelope', async () => {
  const answer = serializeOnce(createCounted())
  const first = await request(answer)
  expect(first).toEqual({
    type: 'application/json; charset=utf-8',
    length: Buffer.byteLength(first.body),
    body: JSON.stringify({ message: 'success', status: '200', data: { name: '一号楼' } }),
  })
  expect(await request(answer)).toEqual(first)
  expect(answer.count()).toBe(1)
})

test('an answer of both backends has the envelope of each', async () => {
  const answer = serializeOnce({ name: '一号楼' })
  const envelopes = [
    ['ht-api', { message: 'success', status: '200', data: answer }],
    ['usr-cloud', { info: 'ok', status: 0, data: answer }],
    ['ht-api', { message: 'success', status: '200', data: answer }],
  ] as const
  for (const [backend, envelope] of envelopes)
    expect(JSON.parse((await request(answer, backend)).body)).toEqual(envelope)
})

test('the cached bytes of a short answer do not hold the buffer pool in memory', async () => {
  const sizes: number[][] = []
  await request(serializeOnce({ name: '一号楼' }), 'ht-api', (payload) => {
    if (Buffer.isBuffer(payload)) sizes.push([payload.length, payload.buffer.byteLength])
  })
  const length = Buffer.byteLength(
    JSON.stringify({ message: 'success', status: '200', data: { name: '一号楼' } }),
  )
  expect(sizes).toEqual([[length, length]])
})

test.each([[{ name: '一号楼' }], [null], ['text'], [undefined]])('%j is not sent', async (answer) => {
  expect((await request(answer)).body).toBe('not sent')
})
