import { Readable } from 'node:stream'
import { WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import { MOST_FILE_BYTES } from '@isotherm/contract/transfer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import type { FileAnswer } from './handlers.ts'

/**
 * How long a call that carries a file may take to answer, ms: a large upload on a slow line takes minutes. Of a download
 * this is until its first bytes; from there on it may take as long as its client goes on taking it, since an export of
 * history has no end.
 */
export const FILE_TIMEOUT_MS = 600_000

/**
 * How long a client may take nothing of a file, ms. There are few places for files that are made: one that is paused and
 * forgotten would keep its own for ever, and the store's connection with it.
 */
const STALL_MS = 300_000

type Upload = Pick<FastifyRequest, 'body' | 'headers'>

const tooLarge = (): AppError => new AppError('request.too-large', { limitKb: MOST_FILE_BYTES / 1024 })

/**
 * A request's body as it comes in. Throws request.too-large as soon as it is, or says that it will be, longer than
 * a file may be; the request stays open, for the answer to go out.
 */
export async function* readUpload({ body, headers }: Upload): AsyncGenerator<Buffer> {
  if (Number(headers['content-length'] ?? 0) > MOST_FILE_BYTES) throw tooLarge()
  // Without a body, or with one nobody reads as a stream, there is no file.
  if (!(body instanceof Readable)) return
  let taken = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk)
    taken += bytes.length
    if (taken > MOST_FILE_BYTES) throw tooLarge()
    yield bytes
  }
}

/** The bytes of a file whose first piece has been asked for already; whoever takes them lets go of the rest. */
async function* goOn(
  first: IteratorResult<Uint8Array, unknown>,
  rest: AsyncIterator<Uint8Array, unknown>,
): AsyncGenerator<Uint8Array> {
  for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value
}

/**
 * Begins to send a file. What fails before its first bytes are there is thrown, as in any call; what fails later breaks
 * the connection, so that nobody takes half for all, and so does a client that takes nothing for `stallMs`. Whoever
 * calls it returns the reply.
 */
export async function sendFile(
  reply: FastifyReply,
  { fileName, bytes, type = WORKBOOK_TYPE }: FileAnswer,
  stallMs = STALL_MS,
): Promise<void> {
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  // The client left meanwhile, or was told that it takes too long.
  if (reply.sent || reply.raw.destroyed) {
    await pieces.return?.()
    return
  }
  const stream = Readable.from(goOn(first, pieces), { objectMode: false })
  // Not at the end of goOn: of a stream that is given up before it is read, that never begins.
  stream.once('close', () => {
    pieces.return?.().catch((error: unknown) => reply.log.warn({ err: error }, 'could not let go of a file'))
  })
  reply.raw.setTimeout(stallMs, () => reply.raw.destroy())
  reply
    .type(type)
    .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .send(stream)
}
