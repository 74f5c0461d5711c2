import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'

/**
 * State of a backup run. `interrupted`: it was killed, and no later one has started. `whole`: the backup was read
 * again and its rows were counted before it got its name.
 */
export const backupRunState = z.enum(['running', 'whole', 'failed', 'interrupted'])

const instant = z.number().int()

export const backupRun = z.object({
  id: z.number().int(),
  state: backupRunState,
  /** Unix ms. */
  startedAt: instant,
  endedAt: instant.nullable(),
  /** Its time is in the future because a clock was wrong, so its age is unknown. */
  isFuture: z.boolean(),
  /** Name of its folder. */
  name: z.string().nullable(),
  bytes: z.number().int().nullable(),
  /** Rows of both stores; null for backups of older versions. */
  rows: z.number().int().nullable(),
  /** Whether all of it was read again and counted. */
  checked: z.boolean(),
  encrypted: z.boolean().nullable(),
  /** Why it failed. */
  fault: z.string().nullable(),
})
export type BackupRun = z.infer<typeof backupRun>

/** A problem that an administrator must solve. `late`: the last whole backup is older than 30 hours. */
export const backupAlarm = z.enum(['none', 'late', 'failed'])
export type BackupAlarm = z.infer<typeof backupAlarm>

/** A change of the program's version on these data. Unix ms of its first start. */
export const programVersion = z.object({ version: z.string(), since: instant })

export const getBackups = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Backup/GetBackups',
  summary:
    'The last backups of the installation, the newest first, whether one is missing or failed, and the last versions of the program that ran on the data. Staff of a company gets none: a backup contains all companies.',
  access: requiresPermission('ps-interfacesys'),
  effect: 'reads',
  input: z.object({ size: z.number().int().min(1).max(1_000).default(100) }),
  output: z.object({
    datalist: z.array(backupRun),
    total: z.number().int().nonnegative(),
    /** Null if all is well, in the demo, and for staff of a company. */
    alarm: backupAlarm.nullable(),
    /** Start of the last whole backup, Unix ms; null if there is none. */
    lastWholeAt: instant.nullable(),
    /** The last versions that started on these data, the present one first. */
    versions: z.array(programVersion),
    /** Whether the caller sees the backups: provider staff. */
    isReadable: z.boolean(),
  }),
  errors: [],
})

export const backupsEndpoints = { getBackups } as const
