import { Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { preParsingHookHandler } from 'fastify'
import { AppError } from '../../app-error.ts'
import { BODY_LIMIT_KB } from '../../to-app-error.ts'

const LIMIT = BODY_LIMIT_KB * 1024

/** Passes bytes on up to the limit of a body. Fails with request.too-large above it. */
function createBound(): Transform {
  let total = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length
      if (total > LIMIT) done(new AppError('request.too-large', { limitKb: BODY_LIMIT_KB }))
      else done(null, chunk)
    },
  })
}

/**
 * Unpacks a JSON body with `Content-Encoding: gzip`. The limit holds for the unpacked body: unpacking stops as soon as it is
 * exceeded.
 */
export const unpackGzip: preParsingHookHandler = (request, _reply, payload, done) => {
  const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers
  if (encoding?.toLowerCase() !== 'gzip' || !type.startsWith('application/json')) {
    done(null, payload)
    return
  }
  let packed = 0
  payload.on('data', (chunk: Buffer) => {
    packed += chunk.length
  })
  const gunzip = createGunzip()
  // Not `pipeline`: a failure would destroy the request, and with it the connection of the answer.
  const bound = payload.pipe(gunzip).pipe(createBound())
  const stop = (error: Error): void => {
    payload.unpipe(gunzip)
    payload.resume()
    gunzip.destroy()
    bound.destroy(error)
  }
  gunzip.once('error', stop)
  payload.once('error', stop)
  bound.once('error', stop)
  // Fastify compares it with Content-Length.
  done(null, Object.defineProperty(bound, 'receivedEncodedLength', { get: () => packed }))
}
