import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type StoredFile, UnreadableFileError } from '../../../platform/spreadsheet/zip-reader.ts'

/** Bytes of a stored part. */
export const PART_BYTES = 256 * 1024

async function* toParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    length += piece.length
    while (length >= PART_BYTES) {
      const whole = Buffer.concat(pieces)
      yield whole.subarray(0, PART_BYTES)
      pieces = [whole.subarray(PART_BYTES)]
      length -= PART_BYTES
    }
  }
  if (length > 0) yield Buffer.concat(pieces)
}

/**
 * Stores bytes of a file while they are received, in parts of equal size. Returns their number. `from`: their place in the
 * file, a multiple of PART_BYTES; what is stored there already is replaced. Throws transfer.not-found if the upload was removed.
 */
export async function storeFile(
  db: Database,
  transferId: number,
  bytes: AsyncIterable<Buffer>,
  from = 0,
): Promise<number> {
  let [part, size] = [from / PART_BYTES, 0]
  for await (const piece of toParts(bytes)) {
    const { numAffectedRows } = await sql`
      insert into transfer_file (transfer_id, part, bytes)
      select id, ${part}::integer, ${piece}::bytea from transfer where id = ${transferId} for key share
      on conflict (transfer_id, part) do update set bytes = excluded.bytes`.execute(db)
    // Another upload of the account has replaced it.
    if (!numAffectedRows) throw new AppError('transfer.not-found')
    part += 1
    size += piece.length
  }
  return size
}

/**
 * Opens a stored file. The part read last is cached, because most reads continue where the last one ended. Reading throws
 * UnreadableFileError if a part is absent or short.
 */
export function openStoredFile(db: Database, transferId: number, size: number): StoredFile {
  let cached: { readonly part: number; readonly bytes: Buffer } | undefined

  async function readPart(part: number): Promise<Buffer> {
    if (cached?.part === part) return cached.bytes
    const { rows } = await sql<{ bytes: Buffer }>`
      select bytes from transfer_file where transfer_id = ${transferId} and part = ${part}`.execute(db)
    const bytes = rows[0]?.bytes ?? Buffer.alloc(0)
    if (bytes.length < Math.min(PART_BYTES, size - part * PART_BYTES))
      throw new UnreadableFileError(`the file is not complete: part ${part}`)
    cached = { part, bytes }
    return bytes
  }

  return {
    size,
    async read(start, length) {
      const pieces: Buffer[] = []
      const end = Math.min(size, start + length)
      for (let at = start; at < end; ) {
        const part = Math.floor(at / PART_BYTES)
        const from = at - part * PART_BYTES
        const piece = (await readPart(part)).subarray(from, from + end - at)
        pieces.push(piece)
        at += piece.length
      }
      return Buffer.concat(pieces)
    },
  }
}
