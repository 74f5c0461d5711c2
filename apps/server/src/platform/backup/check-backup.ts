import { BackupError } from './backup-error.ts'
import { checkFiles, type Manifest, type OpenOptions, openManifest } from './manifest.ts'
import { splitNativeBlocks } from './native-blocks.ts'
import { readSealed } from './sealed-file.ts'

const NEWLINE = 0x0a

/** Rows of PostgreSQL's COPY format: a line each, because line ends within values are escaped. */
async function countLines(source: AsyncIterable<Uint8Array>): Promise<number> {
  let lines = 0
  for await (const part of source) for (const byte of part) if (byte === NEWLINE) lines += 1
  return lines
}

async function countRows(source: AsyncIterable<Uint8Array>): Promise<number> {
  let rows = 0
  for await (const block of splitNativeBlocks(source)) rows += block.rows
  return rows
}

/**
 * Checks a backup without any engine: the seal of its manifest and the checksum of each file, then decrypts and unpacks
 * each file and counts its rows. Throws BackupError with the first fault.
 */
export async function checkBackup(
  folder: string,
  key: string | undefined,
  options?: OpenOptions,
): Promise<Manifest> {
  const manifest = await openManifest(folder, key, options)
  await checkFiles(folder, manifest)
  const fileKey = manifest.isEncrypted ? key : undefined
  const require = (file: string, found: number, rows: number): void => {
    if (found !== rows)
      throw new BackupError(`the backup is damaged: ${file} has ${found} rows instead of ${rows}`)
  }
  for (const { file, rows } of manifest.postgres.tables)
    require(file, await countLines(readSealed(folder, file, fileKey)), rows)
  for (const { parts } of manifest.clickhouse.tables)
    for (const { file, rows } of parts)
      require(file, await countRows(readSealed(folder, file, fileKey)), rows)
  return manifest
}
