import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { hashStored } from './sealed-file.ts'

/** Format of the backups that this version writes. It reads this and older ones. */
export const BACKUP_FORMAT = 1

const count = z.number().int().min(0)
const file = z.string().regex(/^[\w.-]+$/, 'is no file name')

const manifestSchema = z.object({
  product: z.literal('isotherm'),
  format: z.number().int().min(1),
  /** Version of Isotherm that wrote it. */
  version: z.string(),
  /** UTC instant of the snapshot of PostgreSQL, before which everything acknowledged is contained. */
  created: z.iso.datetime(),
  isEncrypted: z.boolean(),
  secrets: file,
  postgres: z.object({
    version: z.string(),
    /** Names of the applied changes, by the table that records them. */
    migrations: z.record(z.string(), z.array(z.string())),
    tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: count, file })),
    sequences: z.array(z.object({ table: z.string(), column: z.string(), value: z.number().int() })),
  }),
  clickhouse: z.object({
    version: z.string(),
    migrations: z.array(z.string()),
    tables: z.array(
      z.object({
        name: z.string(),
        columns: z.array(z.string()),
        parts: z.array(z.object({ partition: z.string(), rows: count, file })),
      }),
    ),
  }),
  files: z.array(z.object({ name: file, bytes: count, sha256: z.string().length(64) })),
})
export type Manifest = z.infer<typeof manifestSchema>

export interface OpenOptions {
  /** Accepts a backup without encryption although there is a key. */
  readonly allowUnencrypted?: boolean | undefined
}

const MANIFEST = 'manifest.json'
const SEAL = 'manifest.seal'

/** Without a key a checksum; with a key a code that only its holder can make. */
const toSeal = (text: string, key: string | undefined): string =>
  key === undefined
    ? createHash('sha256').update(text).digest('hex')
    : createHmac('sha256', `isotherm backup manifest\n${key}`).update(text).digest('hex')

export async function writeManifest(
  folder: string,
  manifest: Manifest,
  key: string | undefined,
): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`
  const options = { mode: 0o600, flush: true }
  await writeFile(join(folder, MANIFEST), text, options)
  await writeFile(join(folder, SEAL), `${toSeal(text, key)}\n`, options)
}

async function readText(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (cause) {
    throw new BackupError(`${folder} is no complete backup: ${name} cannot be read`, { cause })
  }
}

function parse(text: string, folder: string): Manifest {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    throw new BackupError(`${join(folder, MANIFEST)} is damaged`, { cause })
  }
  const head = z.object({ format: z.number(), version: z.string() }).safeParse(raw)
  if (head.success && head.data.format > BACKUP_FORMAT) {
    throw new BackupError(
      `this backup has format ${head.data.format} of Isotherm ${head.data.version}; ` +
        `this version reads formats up to ${BACKUP_FORMAT}: restore it with Isotherm ${head.data.version} or newer`,
    )
  }
  const parsed = manifestSchema.safeParse(raw)
  if (!parsed.success) throw new BackupError(`${join(folder, MANIFEST)} is damaged`, { cause: parsed.error })
  return parsed.data
}

/** The manifest as it is, without a check of its seal; for lists of backups. */
export const readManifest = async (folder: string): Promise<Manifest> =>
  parse(await readText(folder, MANIFEST), folder)

/**
 * Reads the manifest and checks its seal. Throws BackupError for a damaged one, a wrong key and a newer format. A backup
 * without encryption can be made by anybody, so with a key it is refused unless `allowUnencrypted`.
 */
export async function openManifest(
  folder: string,
  key: string | undefined,
  { allowUnencrypted = false }: OpenOptions = {},
): Promise<Manifest> {
  const text = await readText(folder, MANIFEST)
  const manifest = parse(text, folder)
  if (manifest.isEncrypted && key === undefined)
    throw new BackupError('this backup is encrypted: name its key with --key-file')
  if (!manifest.isEncrypted && key !== undefined && !allowUnencrypted)
    throw new BackupError(
      'this backup is not encrypted, although a key is set: anybody can have made or changed it. ' +
        'If you know its origin, add --allow-unencrypted',
    )
  const expected = Buffer.from(toSeal(text, manifest.isEncrypted ? key : undefined))
  const found = Buffer.from((await readText(folder, SEAL)).trim())
  if (found.length === expected.length && timingSafeEqual(found, expected)) return manifest
  throw new BackupError(
    manifest.isEncrypted
      ? 'the key is not that of this backup, or its manifest is damaged'
      : `${join(folder, MANIFEST)} is damaged: its checksum does not fit`,
  )
}

/** Compares every file with its checksum. Throws BackupError that names the first one that differs. */
export async function checkFiles(folder: string, { files }: Pick<Manifest, 'files'>): Promise<void> {
  for (const expected of files) {
    const found = await hashStored(folder, expected.name).catch((cause: unknown) => {
      throw new BackupError(`the backup is damaged: ${expected.name} cannot be read`, { cause })
    })
    if (found.bytes !== expected.bytes)
      throw new BackupError(
        `the backup is damaged: ${expected.name} has ${found.bytes} bytes instead of ${expected.bytes}`,
      )
    if (found.sha256 !== expected.sha256)
      throw new BackupError(`the backup is damaged: the checksum of ${expected.name} does not fit`)
  }
}
