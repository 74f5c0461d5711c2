import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { MAX_FILE_BYTES } from '@isotherm/contract/transfer'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { readUpload, sendFile } from './files.ts'

const PIECE = Buffer.alloc(1024 * 1024)

function* toPieces(count: number): Generator<Buffer> {
  for (let sent = 0; sent < count; sent += 1) yield PIECE
}

async function measure(body: unknown, headers: Record<string, string> = {}): Promise<number> {
  let length = 0
  for await (const bytes of readUpload({ body, headers })) length += bytes.length
  return length
}

test('a file of the largest size is read whole', async () => {
  const body = Readable.from(toPieces(MAX_FILE_BYTES / PIECE.length))
  expect(await measure(body)).toBe(MAX_FILE_BYTES)
})

test('a larger file is rejected during the upload, and the request stays open for the answer', async () => {
  const body = Readable.from(toPieces(MAX_FILE_BYTES / PIECE.length + 1))
  await expect(measure(body)).rejects.toMatchObject({ code: 'request.too-large' })
  expect(body.destroyed).toBe(false)
})

test('a file with a larger Content-Length is not read at all', async () => {
  const body = Readable.from(toPieces(1))
  const headers = { 'content-length': String(MAX_FILE_BYTES + 1) }
  await expect(measure(body, headers)).rejects.toMatchObject({ code: 'request.too-large' })
  expect(body.readableDidRead).toBe(false)
})

test('a request without a body has no file', async () => {
  expect(await measure(undefined)).toBe(0)
})

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A server with a file of chunks; `ended` resolves when the file is closed. */
async function serve(pieces: Iterable<Buffer>, stallMs?: number) {
  const ended = Promise.withResolvers<void>()
  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      yield* pieces
    } finally {
      ended.resolve()
    }
  }
  const app = Fastify()
  closers.push(() => app.close())
  app.get('/', async (_request, reply) => {
    await sendFile(reply, { fileName: '曲线.csv', bytes: bytes() }, stallMs)
    return reply
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, ended: ended.promise }
}

test('a file is sent completely', async () => {
  const { port, ended } = await serve(toPieces(20))
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  expect((await answer.arrayBuffer()).byteLength).toBe(20 * PIECE.length)
  await ended
})

test('a client that stops reading is disconnected, and the file is closed', async () => {
  const { port, ended } = await serve(toPieces(10_000), 200)
  const client = connect(port, '127.0.0.1')
  closers.unshift(async () => client.destroy())
  client.pause()
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await ended
})

/** A file whose first chunk is ready when the test says so. */
function createLateFile() {
  const [begun, isReady, ended] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  async function* bytes(): AsyncGenerator<Buffer> {
    begun.resolve()
    try {
      await isReady.promise
      yield PIECE
      yield PIECE
    } finally {
      ended.resolve()
    }
  }
  const file = { fileName: '曲线.csv', bytes: bytes() }
  return { file, begun: begun.promise, ready: isReady.resolve, ended: ended.promise }
}

test('a file is closed when the client leaves before the first bytes', async () => {
  const { file, begun, ready, ended } = createLateFile()
  const left = Promise.withResolvers<void>()
  const app = Fastify()
  closers.push(() => app.close())
  app.get('/', async (_request, reply) => {
    reply.raw.once('close', left.resolve)
    await sendFile(reply, file)
    return reply
  })
  const client = connect(Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port), '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await begun
  client.destroy()
  await left.promise
  ready()
  await ended
})

test('a file is closed when the call is answered before the first bytes', async () => {
  const { file, ready, ended } = createLateFile()
  const app = Fastify()
  const sent = Promise.withResolvers<void>()
  app.get('/', (_request, reply) => {
    sendFile(reply, file).then(sent.resolve, sent.reject)
    reply.code(503).send('takes too long')
  })
  expect((await app.inject('/')).body).toBe('takes too long')
  ready()
  await ended
  await sent.promise
})

test('a file is closed when its stream is closed before it is read', async () => {
  const { file, ready, ended } = createLateFile()
  const app = Fastify()
  app.addHook('onSend', async (_request, _reply, payload) => {
    if (payload instanceof Readable) payload.destroy()
    return 'something else'
  })
  app.get('/', async (_request, reply) => {
    await sendFile(reply, file)
    return reply
  })
  ready()
  expect((await app.inject('/')).body).toBe('something else')
  await ended
})
