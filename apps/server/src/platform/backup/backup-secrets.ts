import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { readSealed } from './sealed-file.ts'

/** The secrets without which the data of a backup is of no use: passwords of gateways, second factors. */
export const backupSecrets = z.object({ mqtt: z.string().min(16), factor: z.string().min(16).optional() })
export type BackupSecrets = z.infer<typeof backupSecrets>

export const SECRETS_FILE = 'secrets.zst'

export async function readSecrets(folder: string, key: string | undefined): Promise<BackupSecrets> {
  try {
    return backupSecrets.parse(JSON.parse(await text(readSealed(folder, SECRETS_FILE, key))))
  } catch (error) {
    throw error instanceof BackupError
      ? error
      : new BackupError(`${SECRETS_FILE} is damaged`, { cause: error })
  }
}
