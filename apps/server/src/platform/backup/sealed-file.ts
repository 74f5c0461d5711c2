import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BackupError } from './backup-error.ts'

/** A file of a backup as it is on disk: compressed and perhaps encrypted. */
export interface StoredFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

type Bytes = AsyncIterable<Uint8Array>

const MAGIC = Buffer.from('ISOSEAL1')
const SALT_BYTES = 16
const TAG_BYTES = 16
const CHUNK_BYTES = 1 << 20
/** Output buffers of the compression. The default of 16 KiB keeps the garbage collector busy with half a core. */
const ZSTD_CHUNK_BYTES = 1 << 18
/** Highest bit of a chunk's length: no chunk follows. */
const LAST = 0x8000_0000

/** Each file has a key of its own, so that the numbers of its chunks can be the nonces. */
const toFileKey = (key: string, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, 'isotherm backup file', 32))

/** The nonce counts the chunks and marks the last one, so that chunks cannot be exchanged, repeated or left out. */
function toNonce(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(chunk), 0)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

function sealChunk(fileKey: Buffer, name: string, chunk: number, plain: Buffer, isLast: boolean): Buffer {
  const cipher = createCipheriv('aes-256-gcm', fileKey, toNonce(chunk, isLast))
  cipher.setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  const head = Buffer.alloc(4)
  head.writeUInt32BE((sealed.length | (isLast ? LAST : 0)) >>> 0)
  return Buffer.concat([head, sealed, cipher.getAuthTag()])
}

/** Cuts bytes into blocks of exactly `size`; the last one is shorter, and empty for no bytes. */
async function* cutBlocks(source: Bytes, size: number): AsyncGenerator<{ block: Buffer; isLast: boolean }> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const part of source) {
    parts.push(part)
    length += part.length
    if (length <= size) continue
    const all = Buffer.concat(parts)
    let from = 0
    for (; all.length - from > size; from += size)
      yield { block: all.subarray(from, from + size), isLast: false }
    parts = [all.subarray(from)]
    length = all.length - from
  }
  yield { block: Buffer.concat(parts), isLast: true }
}

/** Encrypts with AES-256-GCM in chunks of 1 MiB. The name of the file is authenticated too. */
async function* seal(source: Bytes, key: string, name: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const fileKey = toFileKey(key, salt)
  yield Buffer.concat([MAGIC, salt])
  let chunk = 0
  for await (const { block, isLast } of cutBlocks(source, CHUNK_BYTES)) {
    yield sealChunk(fileKey, name, chunk, block, isLast)
    chunk += 1
  }
}

/** Returns bytes of exact lengths from a stream. */
function createByteReader(source: Bytes) {
  const iterator = source[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  return async (length: number): Promise<Buffer | undefined> => {
    const parts = [rest]
    let size = rest.length
    while (size < length) {
      const next = await iterator.next()
      if (next.done) return undefined
      parts.push(Buffer.from(next.value))
      size += next.value.length
    }
    const all = Buffer.concat(parts)
    rest = all.subarray(length)
    return all.subarray(0, length)
  }
}

const damaged = (name: string): BackupError =>
  new BackupError(`${name} cannot be decrypted: the key is another one, or the file is damaged`)

/** Throws BackupError for a wrong key and for every change of the file. */
async function* unseal(source: Bytes, key: string, name: string): AsyncGenerator<Buffer> {
  const read = createByteReader(source)
  const head = await read(MAGIC.length + SALT_BYTES)
  if (!head?.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(name)
  const fileKey = toFileKey(key, head.subarray(MAGIC.length))
  for (let chunk = 0; ; chunk += 1) {
    const word = (await read(4))?.readUInt32BE()
    if (word === undefined) throw damaged(name)
    const isLast = (word & LAST) !== 0
    const length = (word & ~LAST) >>> 0
    if (length > CHUNK_BYTES) throw damaged(name)
    const sealed = await read(length + TAG_BYTES)
    if (sealed === undefined) throw damaged(name)
    const decipher = createDecipheriv('aes-256-gcm', fileKey, toNonce(chunk, isLast))
    decipher.setAAD(Buffer.from(name))
    decipher.setAuthTag(sealed.subarray(length))
    let plain: Buffer
    try {
      plain = Buffer.concat([decipher.update(sealed.subarray(0, length)), decipher.final()])
    } catch {
      throw damaged(name)
    }
    yield plain
    if (!isLast) continue
    if ((await read(1)) !== undefined) throw damaged(name)
    return
  }
}

/** Compresses bytes into a file, encrypted if a key is given, and waits until they are on disk. */
export async function writeSealed(
  folder: string,
  name: string,
  source: Bytes,
  key: string | undefined,
): Promise<StoredFile> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(
    source,
    createZstdCompress({ chunkSize: ZSTD_CHUNK_BYTES }),
    (compressed: Bytes) => (key === undefined ? compressed : seal(compressed, key, name)),
    async function* (stored: Bytes) {
      for await (const part of stored) {
        hash.update(part)
        bytes += part.length
        yield part
      }
    },
    createWriteStream(join(folder, name), { mode: 0o600, flags: 'wx', flush: true }),
  )
  return { name, bytes, sha256: hash.digest('hex') }
}

/** The bytes that were given to writeSealed. */
export async function* readSealed(
  folder: string,
  name: string,
  key: string | undefined,
): AsyncGenerator<Buffer> {
  const file = createReadStream(join(folder, name), { highWaterMark: 1 << 20 })
  const unpack = createZstdDecompress({ chunkSize: ZSTD_CHUNK_BYTES })
  const packed = key === undefined ? file : unseal(file, key, name)
  const feeding = pipeline(packed, unpack)
  // The reader gets the error from the stream that it reads.
  feeding.catch(() => undefined)
  try {
    yield* unpack
    await feeding
  } catch (error) {
    throw error instanceof BackupError ? error : new BackupError(`${name} cannot be read`, { cause: error })
  }
}

/** SHA-256 and size of a file as it is on disk. */
export async function hashStored(folder: string, name: string): Promise<StoredFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of createReadStream(join(folder, name), { highWaterMark: 1 << 20 })) {
    hash.update(part)
    bytes += part.length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}
