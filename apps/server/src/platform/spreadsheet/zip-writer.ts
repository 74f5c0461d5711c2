import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive. Its bytes are read once the files before it are written. */
export interface ArchiveFile {
  readonly name: string
  readonly texts: AsyncIterable<string> | Iterable<string>
}

interface Written {
  readonly name: Buffer
  readonly start: number
  crc: number
  packed: number
  size: number
}

/** Flags: sizes follow the file's bytes; names are UTF-8. */
const FLAGS = 0x0808
const VERSION = 20
const DEFLATED = 8
/** 1 January 1980, so that the same rows always give the same file. */
const DATE = 0x0021
const MOST_BYTES = 0xffff_ffff

const words = (...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer => {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

const toLocalHeader = ({ name }: Written): Buffer =>
  Buffer.concat([
    words([4, 0x04034b50], [2, VERSION], [2, FLAGS], [2, DEFLATED], [2, 0], [2, DATE]),
    words([4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]),
    name,
  ])

const toDescriptor = ({ crc, packed, size }: Written): Buffer =>
  words([4, 0x08074b50], [4, crc], [4, packed], [4, size])

const toEntry = ({ name, start, crc, packed, size }: Written): Buffer =>
  Buffer.concat([
    words([4, 0x02014b50], [2, VERSION], [2, VERSION], [2, FLAGS], [2, DEFLATED], [2, 0], [2, DATE]),
    words([4, crc], [4, packed], [4, size], [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0]),
    words([4, start]),
    name,
  ])

/** Compresses a file's texts and counts the bytes in `written`. */
async function* pack(texts: ArchiveFile['texts'], written: Written): AsyncGenerator<Buffer> {
  const deflater = createDeflateRaw()
  async function* count() {
    for await (const text of texts) {
      const bytes = Buffer.from(text)
      written.crc = crc32(bytes, written.crc)
      written.size += bytes.length
      yield bytes
    }
  }
  // An error here destroys the deflater, so that reading from it fails too.
  pipeline(Readable.from(count()), deflater).catch(() => undefined)
  for await (const piece of deflater) {
    const bytes = Buffer.from(piece)
    written.packed += bytes.length
    yield bytes
  }
}

/** Streams a zip archive; it is never in memory as a whole. */
export async function* toArchive(files: Iterable<ArchiveFile>): AsyncGenerator<Buffer> {
  const all: Written[] = []
  let at = 0
  for (const { name, texts } of files) {
    const written: Written = { name: Buffer.from(name), start: at, crc: 0, packed: 0, size: 0 }
    const header = toLocalHeader(written)
    yield header
    yield* pack(texts, written)
    const descriptor = toDescriptor(written)
    yield descriptor
    at += header.length + written.packed + descriptor.length
    if (Math.max(at, written.size) > MOST_BYTES) throw new Error('the archive is too large')
    all.push(written)
  }
  const directory = Buffer.concat(all.map(toEntry))
  yield directory
  yield words(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, all.length],
    [2, all.length],
    [4, directory.length],
    [4, at],
    [2, 0],
  )
}
