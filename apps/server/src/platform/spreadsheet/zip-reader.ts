import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'

/** A file with random access. */
export interface StoredFile {
  readonly size: number
  /** `length` bytes from `start`; fewer only at the end of the file. */
  read(start: number, length: number): Promise<Buffer>
}

/** A file that is no workbook, is damaged or malicious. The message is for the person who uploaded it. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly start: number
}

/** The files of an archive, by name. */
export interface Archive {
  has(name: string): boolean
  /** Streams the inflated bytes of a file. Throws UnreadableFileError while reading. */
  open(name: string): AsyncGenerator<Buffer>
}

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_SIZE = 22
const ENTRY_SIZE = 46
const LOCAL_SIZE = 30
/** Longest comment of the end record. */
const MOST_COMMENT = 65_535
const MOST_ENTRIES = 1_000
const MOST_DIRECTORY_BYTES = 1024 * 1024
const PIECE_BYTES = 64 * 1024
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8

const damaged = (cause?: unknown): UnreadableFileError =>
  new UnreadableFileError('not an xlsx workbook, or a damaged one', { cause })

async function readDirectory(file: StoredFile): Promise<Buffer> {
  const tail = await file.read(Math.max(0, file.size - END_SIZE - MOST_COMMENT), END_SIZE + MOST_COMMENT)
  for (let at = tail.length - END_SIZE; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue
    const [entries, length, start] = [
      tail.readUInt16LE(at + 10),
      tail.readUInt32LE(at + 12),
      tail.readUInt32LE(at + 16),
    ]
    if (entries > MOST_ENTRIES || length > MOST_DIRECTORY_BYTES) throw damaged()
    return file.read(start, length)
  }
  throw damaged()
}

function* toEntries(directory: Buffer): Generator<Entry> {
  for (let at = 0; at + ENTRY_SIZE <= directory.length; ) {
    if (directory.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damaged()
    const [nameLength, extraLength, commentLength] = [
      directory.readUInt16LE(at + 28),
      directory.readUInt16LE(at + 30),
      directory.readUInt16LE(at + 32),
    ]
    if ((directory.readUInt16LE(at + 8) & ENCRYPTED) !== 0) {
      throw new UnreadableFileError('the workbook is encrypted')
    }
    yield {
      name: directory.toString('utf8', at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength).replace(/^\/+/, ''),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedSize: directory.readUInt32LE(at + 20),
      start: directory.readUInt32LE(at + 42),
    }
    at += ENTRY_SIZE + nameLength + extraLength + commentLength
  }
}

async function* readPacked(file: StoredFile, { start, packedSize }: Entry): AsyncGenerator<Buffer> {
  const header = await file.read(start, LOCAL_SIZE)
  if (header.length < LOCAL_SIZE || header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damaged()
  const from = start + LOCAL_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28)
  for (let at = 0; at < packedSize; ) {
    const piece = await file.read(from + at, Math.min(PIECE_BYTES, packedSize - at))
    if (piece.length === 0) throw damaged()
    at += piece.length
    yield piece
  }
}

async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw()
  // An error here destroys the inflater, so that reading from it fails too.
  pipeline(Readable.from(packed), inflater).catch(() => undefined)
  try {
    for await (const piece of inflater) yield Buffer.from(piece)
  } catch (error) {
    throw error instanceof UnreadableFileError ? error : damaged(error)
  }
}

/**
 * Opens a zip archive by its central directory, so that files can be read in any order and data outside the directory is
 * ignored. Inflates at most `mostBytes` in total, whatever the headers state. Throws UnreadableFileError.
 */
export async function openArchive(file: StoredFile, mostBytes: number): Promise<Archive> {
  const entries = new Map<string, Entry>()
  for (const entry of toEntries(await readDirectory(file))) {
    if (entries.has(entry.name)) throw damaged()
    entries.set(entry.name, entry)
  }
  let inflated = 0

  return {
    has: (name) => entries.has(name),
    async *open(name) {
      const entry = entries.get(name)
      if (!entry || (entry.method !== STORED && entry.method !== DEFLATED)) throw damaged()
      const packed = readPacked(file, entry)
      let sum = 0
      for await (const piece of entry.method === STORED ? packed : inflate(packed)) {
        inflated += piece.length
        if (inflated > mostBytes) throw new UnreadableFileError('the workbook is too large once unpacked')
        sum = crc32(piece, sum)
        yield piece
      }
      if (sum !== entry.crc) throw damaged()
    },
  }
}
