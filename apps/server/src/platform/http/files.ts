import { Readable } from 'node:stream'
import { WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import { MOST_FILE_BYTES } from '@isotherm/contract/transfer'
import type { FastifyReply } from 'fastify'
import { AppError } from '../app-error.ts'
import type { FileAnswer } from './handlers.ts'

/** How long a call that carries a file may take, ms: a large one on a slow line takes minutes. */
export const FILE_TIMEOUT_MS = 600_000

/** A request's body as it comes in. Throws request.too-large as soon as it is longer than a file may be. */
export async function* readUpload(body: unknown): AsyncGenerator<Buffer> {
  // Without a body, or with one nobody reads as a stream, there is no file.
  if (!(body instanceof Readable)) return
  let taken = 0
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk)
    taken += bytes.length
    if (taken > MOST_FILE_BYTES) throw new AppError('request.too-large', { limitKb: MOST_FILE_BYTES / 1024 })
    yield bytes
  }
}

/** Answers a file; what fails while its bytes are made breaks the connection, so that nobody takes half for all. */
export const sendFile = (reply: FastifyReply, { fileName, bytes }: FileAnswer): FastifyReply =>
  reply
    .type(WORKBOOK_TYPE)
    .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .send(Readable.from(bytes, { objectMode: false }))
