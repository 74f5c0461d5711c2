import { BackupError } from './backup-error.ts'

/**
 * Blocks of ClickHouse's format Native, as its HTTP interface writes it (revision 0): number of columns, number of
 * rows, then for each column its name, its type and its values. A stream is a sequence of blocks, so it can be cut between
 * them: an insert takes any number of blocks.
 */
export interface NativeBlock {
  readonly columns: readonly string[]
  readonly rows: number
  readonly bytes: Buffer
}

/** Thrown when a block ends after the bytes that have arrived; it needs at least `bytes` in all. */
class Incomplete extends Error {
  readonly bytes: number
  constructor(bytes: number) {
    super('incomplete')
    this.bytes = bytes
  }
}

const fixedBytes: Readonly<Record<string, number>> = {
  UInt8: 1,
  Int8: 1,
  Bool: 1,
  Enum8: 1,
  UInt16: 2,
  Int16: 2,
  Enum16: 2,
  Date: 2,
  UInt32: 4,
  Int32: 4,
  Float32: 4,
  DateTime: 4,
  Date32: 4,
  IPv4: 4,
  UInt64: 8,
  Int64: 8,
  Float64: 8,
  DateTime64: 8,
  UUID: 16,
  IPv6: 16,
}

interface Cursor {
  readonly bytes: Buffer
  at: number
}

function skip(cursor: Cursor, length: number): void {
  if (cursor.at + length > cursor.bytes.length) throw new Incomplete(cursor.at + length)
  cursor.at += length
}

/** An unsigned LEB128 number. */
function readNumber(cursor: Cursor): number {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = cursor.bytes[cursor.at]
    if (byte === undefined) throw new Incomplete(cursor.at + 1)
    if (factor > 2 ** 49) throw new BackupError('ClickHouse sent something else than rows')
    cursor.at += 1
    value += (byte & 127) * factor
    if (byte < 128) return value
  }
}

function readText(cursor: Cursor): string {
  const length = readNumber(cursor)
  if (length > 10_000) throw new BackupError('ClickHouse sent something else than rows')
  const from = cursor.at
  skip(cursor, length)
  return cursor.bytes.toString('utf8', from, cursor.at)
}

function skipValues(cursor: Cursor, type: string, rows: number): void {
  if (type === 'String') {
    for (let row = 0; row < rows; row += 1) skip(cursor, readNumber(cursor))
    return
  }
  const inner = /^Array\((.*)\)$/.exec(type)?.[1]
  if (inner !== undefined) {
    // The end of each row's values, counted from the first row; then the values of all rows.
    skip(cursor, rows * 8)
    skipValues(cursor, inner, rows === 0 ? 0 : Number(cursor.bytes.readBigUInt64LE(cursor.at - 8)))
    return
  }
  const fixed = /^FixedString\((\d+)\)$/.exec(type)?.[1]
  const size = fixed === undefined ? fixedBytes[type.replace(/\(.*$/, '')] : Number(fixed)
  if (size === undefined) throw new BackupError(`ClickHouse columns of type ${type} cannot be backed up`)
  skip(cursor, rows * size)
}

function readBlock(bytes: Buffer): NativeBlock {
  const cursor = { bytes, at: 0 }
  const columnCount = readNumber(cursor)
  const rows = readNumber(cursor)
  if (columnCount > 1_000 || rows > 2 ** 31) throw new BackupError('ClickHouse sent something else than rows')
  const columns: string[] = []
  for (let column = 0; column < columnCount; column += 1) {
    columns.push(readText(cursor))
    skipValues(cursor, readText(cursor), rows)
  }
  return { columns, rows, bytes: bytes.subarray(0, cursor.at) }
}

/**
 * Cuts a stream into its blocks. Throws BackupError if it ends within a block, and for anything that is not a block, for
 * example the text of an error that the engine appends to an answer.
 */
export async function* splitNativeBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<NativeBlock> {
  let parts: Uint8Array[] = []
  let length = 0
  let needed = 1

  function* takeBlocks(): Generator<NativeBlock> {
    let rest = Buffer.concat(parts)
    while (rest.length > 0) {
      try {
        const block = readBlock(rest)
        rest = rest.subarray(block.bytes.length)
        yield block
      } catch (error) {
        if (!(error instanceof Incomplete)) throw error
        // The length of a block with strings is not known in advance. Waiting for twice as many bytes limits how
        // often it is parsed again.
        needed = Math.max(error.bytes, rest.length * 2)
        break
      }
    }
    if (rest.length === 0) needed = 1
    parts = [rest]
    length = rest.length
  }

  for await (const part of source) {
    parts.push(part)
    length += part.length
    if (length >= needed) yield* takeBlocks()
  }
  yield* takeBlocks()
  if (length > 0) throw new BackupError('the rows of ClickHouse end within a block')
}
