import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'

/** A stored file with random access. */
export interface StoredFile {
  readonly size: number
  /** Reads `length` bytes from `start`; fewer only at the end of the file. */
  read(start: number, length: number): Promise<Buffer>
}

/** A file that is not a workbook, is damaged or is harmful. The message is for the user who sent it. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

/** The files of an archive by name. */
export interface Archive {
  has(name: string): boolean
  /** Streams the unpacked bytes of a file. Throws UnreadableFileError. */
  open(name: string): AsyncGenerator<Buffer>
}

const MAX_ENTRIES = 1_000
const MAX_DIRECTORY_BYTES = 1024 * 1024
const PIECE_BYTES = 64 * 1024
const STORED = 0
const DEFLATED = 8

const damaged = (cause?: unknown): UnreadableFileError =>
  new UnreadableFileError('not an xlsx workbook, or a damaged one', { cause })

/** Lets yauzl read a stored file. */
class StoredFileReader extends RandomAccessReader {
  readonly #file: StoredFile
  /** The last error of the storage. It is not a defect of the archive. */
  storageError: unknown

  constructor(file: StoredFile) {
    super()
    this.#file = file
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#file.read(position, length).then(
      (bytes) => done(null, bytes.copy(buffer, offset)),
      (error: unknown) => {
        this.storageError = error
        done(error instanceof Error ? error : new Error('the stored file cannot be read', { cause: error }))
      },
    )
  }
}

async function readEntries(archive: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (archive.entryCount > MAX_ENTRIES) throw damaged()
  const entries = new Map<string, Entry>()
  let directoryBytes = 0
  for await (const entry of archive.eachEntry()) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (directoryBytes > MAX_DIRECTORY_BYTES) throw damaged()
    if (entry.isEncrypted()) throw new UnreadableFileError('the workbook is encrypted')
    const name = entry.fileNameRaw.toString('utf8').replace(/^\/+/, '')
    if (entries.has(name)) throw damaged()
    entries.set(name, entry)
  }
  return entries
}

async function* readPacked(file: StoredFile, from: number, packedSize: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < packedSize; ) {
    const piece = await file.read(from + at, Math.min(PIECE_BYTES, packedSize - at))
    if (piece.length === 0) throw damaged()
    at += piece.length
    yield piece
  }
}

async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw()
  // A failure destroys the inflater, so that reading from it fails too.
  pipeline(Readable.from(packed), inflater).catch(() => undefined)
  try {
    for await (const piece of inflater) yield Buffer.from(piece)
  } catch (error) {
    const isOfZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isOfZlib ? damaged(error) : error
  }
}

/**
 * Opens a zip archive by its central directory, so that its files can be read in any order. At most `maxBytes` are
 * unpacked in total, whatever the headers state. Throws UnreadableFileError.
 */
export async function openArchive(file: StoredFile, maxBytes: number): Promise<Archive> {
  const reader = new StoredFileReader(file)
  let unpacked = 0

  /** Converts an error of yauzl; errors of the storage stay what they are. */
  async function parse<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (reader.storageError !== undefined) throw reader.storageError
      throw error instanceof UnreadableFileError ? error : damaged(error)
    }
  }

  const { archive, entries } = await parse(async () => {
    // Names are decoded in readEntries: yauzl would refuse absolute ones, which some programs write.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false }
    const opened = await fromRandomAccessReaderPromise(reader, file.size, options)
    return { archive: opened, entries: await readEntries(opened) }
  })

  return {
    has: (name) => entries.has(name),
    async *open(name) {
      const entry = entries.get(name)
      if (!entry || (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED))
        throw damaged()
      const header = await parse(() => archive.readLocalFileHeaderPromise(entry, { minimal: true }))
      const packed = readPacked(file, header.fileDataStart, entry.compressedSize)
      let sum = 0
      for await (const piece of entry.compressionMethod === STORED ? packed : inflate(packed)) {
        unpacked += piece.length
        if (unpacked > maxBytes) throw new UnreadableFileError('the workbook is too large once unpacked')
        sum = crc32(piece, sum)
        yield piece
      }
      if (sum !== entry.crc32) throw damaged()
    },
  }
}
