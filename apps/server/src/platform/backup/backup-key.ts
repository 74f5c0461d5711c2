import { readFile } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'

const MIN_LENGTH = 32

/** Reads the key of backups; undefined without a file. Throws BackupError if the file has no key. */
export async function readKey(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new BackupError(`the key file ${file} cannot be read (${cause.code})`, { cause })
  })
  const key = text.trim()
  if (key.length >= MIN_LENGTH) return key
  throw new BackupError(
    `the key in ${file} is shorter than ${MIN_LENGTH} characters; make one with: openssl rand -base64 32`,
  )
}
