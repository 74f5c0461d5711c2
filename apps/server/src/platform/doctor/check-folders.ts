import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { MAX_BACKUP_AGE_MS, readBackupTime } from '@isotherm/kernel/machine/backup-name'
import { judgeSpace, toSpaceText } from '@isotherm/kernel/machine/disk-space'
import { readManifest } from '../backup/manifest.ts'
import { listBackups, separateFuture } from '../backup/retention.ts'
import type { BackupConfig } from '../config/backup.ts'
import { type Finding, fault, ok, toReason, warning } from './finding.ts'

/** Rights of others to read or write; passing through a folder is harmless. */
const READ_BY_OTHERS = 0o066

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The folder, or the nearest one above it that exists. */
async function findExisting(folder: string): Promise<string> {
  return (await exists(folder)) || dirname(folder) === folder ? folder : findExisting(dirname(folder))
}

export async function checkSpace(name: string, folder: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(await findExisting(folder))
  const space = { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  const what = `disk of the ${name}: ${toSpaceText(space)} (${folder})`
  const state = judgeSpace(space)
  if (state === 'ok') return ok(what)
  return {
    state,
    what,
    repair:
      'free space or enlarge the disk; shorter retention (ISOTHERM_KEEP_READINGS_DAYS) frees it after a day',
  }
}

export async function checkFolder(name: string, folder: string): Promise<Finding> {
  if (!(await exists(folder))) return ok(`rights of the ${name}: ${folder} is not created yet`)
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    const { mode } = await stat(folder)
    if ((mode & READ_BY_OTHERS) === 0) return ok(`rights of the ${name}: only its owner can read it`)
    return warning(
      `rights of the ${name}: other users of the machine can read ${folder}`,
      `chmod go-rw ${folder}`,
    )
  } catch (error) {
    return fault(
      `rights of the ${name}: ${folder} cannot be written (${toReason(error)})`,
      `give it to the user of the service: chown -R isotherm ${folder}`,
    )
  }
}

/** A file with secrets; undefined if there is none. */
export async function checkSecretFile(name: string, file: string): Promise<Finding | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (!found) return undefined
  return (found.mode & 0o077) === 0
    ? ok(`${name}: only its owner can read it`)
    : fault(`${name}: other users of the machine can read ${file}`, `chmod 600 ${file}`)
}

export const checkSecrets = (dataDir: string): Promise<Finding | undefined> =>
  checkSecretFile('secrets of the installation', join(dataDir, 'secrets.json'))

const NONE_MADE = warning(
  'backups: none are made',
  'set ISOTHERM_BACKUP_FOLDER to a folder on another disk, and ISOTHERM_BACKUP_KEY_FILE',
)

async function judgeNewest(folder: string, newest: string | undefined, now: number): Promise<Finding> {
  const repair = 'see the log of the service for the reason, then: isotherm backup'
  if (newest === undefined) return fault(`backups: ${folder} has none`, repair)
  const age = now - (readBackupTime(newest) ?? 0)
  const hours = Math.round(age / HOUR_MS)
  if (age > MAX_BACKUP_AGE_MS) return fault(`backups: the last one is ${hours} hours old (${newest})`, repair)
  if ((await readManifest(join(folder, newest))).isEncrypted)
    return ok(`backups: the last one is ${hours} hours old and encrypted (${newest})`)
  return warning(
    `backups: the last one is ${hours} hours old, and it is not encrypted`,
    'make a key (openssl rand -base64 32), store a copy elsewhere, and name its file in ISOTHERM_BACKUP_KEY_FILE',
  )
}

export async function checkBackups({ folder }: BackupConfig, now: number): Promise<readonly Finding[]> {
  if (folder === undefined) return [NONE_MADE]
  const { past, future } = separateFuture(await listBackups(folder).catch(() => []), now)
  const [first] = future
  return [
    ...(first === undefined
      ? []
      : [
          warning(
            `backups: ${future.length} ${future.length === 1 ? 'is' : 'are'} dated in the future (${first})`,
            'check the clock of the machine; if it is right now, they are as old as their files: move them away',
          ),
        ]),
    await judgeNewest(folder, past[0], now),
  ]
}
