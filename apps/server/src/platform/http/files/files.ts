import { Readable } from 'node:stream'
import { WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import { MAX_FILE_BYTES } from '@isotherm/contract/transfer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../app-error.ts'
import type { FileAnswer } from '../handlers.ts'
import { hasVersion, readRange, setPartHeaders, setVersionHeaders } from './byte-ranges.ts'

/**
 * Time limit of a call with a file, ms: a large upload over a slow line takes minutes. For a download this is the time to
 * the first bytes. After them there is no limit as long as the client reads, because an export of history can be long.
 */
export const FILE_TIMEOUT_MS = 600_000

/**
 * How long a client may pause a download, ms. The number of concurrent exports is limited: a forgotten paused download
 * would block its slot and the store's connection forever.
 */
const STALL_MS = 300_000

type Upload = Pick<FastifyRequest, 'body' | 'headers'>

const tooLarge = (): AppError => new AppError('request.too-large', { limitKb: MAX_FILE_BYTES / 1024 })

/**
 * Streams a request's body. Throws request.too-large as soon as the body, or its Content-Length, exceeds the limit. The
 * request stays open, so that the answer can be sent.
 */
export async function* readUpload({ body, headers }: Upload): AsyncGenerator<Buffer> {
  if (Number(headers['content-length'] ?? 0) > MAX_FILE_BYTES) throw tooLarge()
  // Without a body there is no file.
  if (!(body instanceof Readable)) return
  let total = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk)
    total += bytes.length
    if (total > MAX_FILE_BYTES) throw tooLarge()
    yield bytes
  }
}

/** The chunks of a file after its first chunk was read. */
async function* continueWith(
  first: IteratorResult<Uint8Array, unknown>,
  rest: AsyncIterator<Uint8Array, unknown>,
): AsyncGenerator<Uint8Array> {
  for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value
}

/**
 * Starts to send a file. A failure before the first bytes is thrown, as in any call. A later failure, or a client that
 * reads nothing for `stallMs`, breaks the connection, so that no client takes a part for the whole. The caller must
 * return the reply.
 */
export async function sendFile(reply: FastifyReply, file: FileAnswer, stallMs = STALL_MS): Promise<void> {
  const { fileName, type = WORKBOOK_TYPE, parts } = file
  if (parts && hasVersion(reply.request.headers, parts.etag)) {
    setVersionHeaders(reply, parts)
    reply.code(304).send()
    return
  }
  const range = parts && readRange(reply.request.headers, parts)
  if (range === 'beyond') {
    reply.code(416).header('Content-Range', `bytes */${parts?.totalBytes}`).send()
    return
  }
  const bytes = parts && range ? parts.read(range.start, range.end) : file.bytes
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  // The client has left, or the call timed out.
  if (reply.sent || reply.raw.destroyed) {
    await pieces.return?.()
    return
  }
  const stream = Readable.from(continueWith(first, pieces), { objectMode: false })
  // Not in a `finally` of continueWith: it never starts if the stream is closed before it is read.
  stream.once('close', () => {
    pieces.return?.().catch((error: unknown) => reply.log.warn({ err: error }, 'could not close a file'))
  })
  reply.raw.setTimeout(stallMs, () => reply.raw.destroy())
  if (parts) setPartHeaders(reply, parts, range)
  reply
    .type(type)
    .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .send(stream)
}
