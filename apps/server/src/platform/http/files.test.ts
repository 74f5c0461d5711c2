import { Readable } from 'node:stream'
import { MOST_FILE_BYTES } from '@isotherm/contract/transfer'
import { expect, test } from 'vitest'
import { readUpload } from './files.ts'

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
  const body = Readable.from(toPieces(MOST_FILE_BYTES / PIECE.length))
  expect(await measure(body)).toBe(MOST_FILE_BYTES)
})

test('a larger one is refused while it comes in, and its request stays open for the answer', async () => {
  const body = Readable.from(toPieces(MOST_FILE_BYTES / PIECE.length + 1))
  await expect(measure(body)).rejects.toMatchObject({ code: 'request.too-large' })
  expect(body.destroyed).toBe(false)
})

test('one that says that it is larger is not read at all', async () => {
  const body = Readable.from(toPieces(1))
  const headers = { 'content-length': String(MOST_FILE_BYTES + 1) }
  await expect(measure(body, headers)).rejects.toMatchObject({ code: 'request.too-large' })
  expect(body.readableDidRead).toBe(false)
})

test('a request without a body holds no file', async () => {
  expect(await measure(undefined)).toBe(0)
})
