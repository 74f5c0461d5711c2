import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileParts } from '../handlers.ts'

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const RANGE = /^bytes=(?<first>\d{0,15})-(?<last>\d{0,15})$/

/**
 * The part of a file that a request names in its header Range (RFC 9110, section 14); `beyond`: it starts after the end.
 * Undefined for the whole file: without the header, with several ranges or another unit, and if If-Range names another
 * version of the file.
 */
export function readRange(
  headers: FastifyRequest['headers'],
  { totalBytes, etag }: Pick<FileParts, 'totalBytes' | 'etag'>,
): ByteRange | 'beyond' | undefined {
  const { first = '', last = '' } = RANGE.exec(headers.range ?? '')?.groups ?? {}
  if (first === '' && last === '') return undefined
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined
  // Without a start the number counts from the end.
  const start = first === '' ? Math.max(0, totalBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? totalBytes - 1 : Math.min(Number(last), totalBytes - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start < totalBytes && start <= end ? { start, end } : 'beyond'
}

/** Whether the client has this version of a file, by its header If-None-Match (RFC 9110, section 13.1.2). */
export function hasVersion(headers: FastifyRequest['headers'], etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

/** How long a browser uses a version of a file that its user requested, s. */
const IMMUTABLE_S = 86_400 * 30

/**
 * Lets the browser of the caller store a file. It compares the version before it uses the file again, unless the request
 * named the version; then only another session, which may be that of another user, compares it.
 */
export function setVersionHeaders(
  reply: FastifyReply,
  { etag, isImmutable }: Pick<FileParts, 'etag' | 'isImmutable'>,
): void {
  if (isImmutable)
    reply
      .header('Cache-Control', `private, max-age=${IMMUTABLE_S}, immutable`)
      .header('Vary', 'Authorization')
  else reply.header('Cache-Control', 'private, no-cache')
  reply.header('ETag', etag)
}

/** Sets the headers of a file that may be read in parts, and the status of a part. */
export function setPartHeaders(
  reply: FastifyReply,
  parts: Omit<FileParts, 'read'>,
  range: ByteRange | undefined,
): void {
  const { totalBytes } = parts
  setVersionHeaders(reply, parts)
  reply.header('Accept-Ranges', 'bytes')
  reply.header('Content-Length', range ? range.end - range.start + 1 : totalBytes)
  if (range) reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${totalBytes}`)
}
