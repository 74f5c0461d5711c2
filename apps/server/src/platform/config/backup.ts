import { z } from 'zod'

/** Environment variables of backups. The launcher reads when they are due. */
export const backupEnvironment = {
  ISOTHERM_BACKUP_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the backups. With it, isotherm serve makes one every day'),
  ISOTHERM_BACKUP_AT: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is not a time such as 02:30')
    .default('02:30')
    .describe('Time of the daily backup in ISOTHERM_TIME_ZONE'),
  ISOTHERM_BACKUP_KEEP: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(14)
    .describe('Number of backups that the folder retains after a daily backup; 0 retains all'),
  ISOTHERM_BACKUP_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File with the key that encrypts backups, at least 32 characters; without it they are not encrypted',
    ),
}

export interface BackupConfig {
  /** Folder of the backups; absent: there are no daily backups. */
  readonly folder?: string | undefined
  /** Time of the daily backup: `02:30`. */
  readonly at: string
  /** Number of backups that are retained; 0: all. */
  readonly keep: number
  readonly keyFile?: string | undefined
}

type Variables = z.infer<z.ZodObject<typeof backupEnvironment>>

export const toBackupConfig = (read: Variables): BackupConfig => ({
  folder: read.ISOTHERM_BACKUP_FOLDER,
  at: read.ISOTHERM_BACKUP_AT,
  keep: read.ISOTHERM_BACKUP_KEEP,
  keyFile: read.ISOTHERM_BACKUP_KEY_FILE,
})
