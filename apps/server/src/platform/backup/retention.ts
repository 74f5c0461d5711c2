import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDatedInFuture, readBackupTime } from '@isotherm/kernel/machine/backup-name'
import { readManifest } from './manifest.ts'

/** Ending of a backup while it is being removed. */
const REMOVED = '.old'

/** Complete backups in a folder, the newest first; also those that are dated in the future. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = (await readdir(folder))
    .filter((name) => readBackupTime(name) !== undefined)
    .toSorted()
    .toReversed()
  const complete = await Promise.all(
    names.map((name) =>
      readManifest(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return names.filter((_name, index) => complete[index])
}

/** Separates the backups whose dates can be true from those of the future. */
export function separateFuture(names: readonly string[], now: number) {
  const isFuture = (name: string): boolean => isDatedInFuture(readBackupTime(name) ?? 0, now)
  return { past: names.filter((name) => !isFuture(name)), future: names.filter(isFuture) }
}

/**
 * Removes all but the newest `keep` backups and returns the names of the removed ones. 0 removes none. Those that are dated
 * in the future are not counted and stay: perhaps the clock is wrong now, and they are good. A backup is renamed before its files
 * are removed, so that an interrupted removal leaves nothing that looks like a backup.
 */
export async function removeOldBackups(folder: string, keep: number, now: number): Promise<string[]> {
  for (const name of await readdir(folder))
    if (name.endsWith(REMOVED) && readBackupTime(name.slice(0, -REMOVED.length)) !== undefined)
      await rm(join(folder, name), { recursive: true, force: true })
  if (keep === 0) return []
  const old = separateFuture(await listBackups(folder), now).past.slice(keep)
  for (const name of old) {
    const removed = join(folder, `${name}${REMOVED}`)
    await rename(join(folder, name), removed)
    await rm(removed, { recursive: true, force: true })
  }
  return old
}
