import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { DAY_MS } from '@isotherm/kernel/durations'
import { readBackupTime } from '@isotherm/kernel/machine/backup-name'
import { z } from 'zod'

/** Suffix of a backup's folder while the backup is written. */
const DRAFT = '.part'
/** File in a draft that names the process that writes it. */
const OWNER = 'owner.json'
/** A draft of another host is abandoned if no file was added to it for this time; no file takes so long to write. */
const MAX_SILENCE_MS = 2 * DAY_MS

const ownerSchema = z.object({ host: z.string(), pid: z.number().int().positive() })

/** Creates the folder in which a backup is written and returns its path. */
export async function createDraft(folder: string, name: string): Promise<string> {
  const draft = join(folder, `${name}${DRAFT}`)
  await mkdir(draft, { mode: 0o700 })
  await writeFile(join(draft, OWNER), JSON.stringify({ host: hostname(), pid: process.pid }), { mode: 0o600 })
  return draft
}

/** Waits until the entries of a folder are on disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Gives a finished backup its final name. After a power failure the name exists only if all its files do. */
export async function finishDraft(draft: string, target: string): Promise<void> {
  await rm(join(draft, OWNER))
  await syncFolder(draft)
  await rename(draft, target)
  await syncFolder(dirname(target))
}

function isGone(pid: number): boolean {
  // A restarted container often gives this process the id that the process before it had.
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Whether no process writes this draft any more. */
async function isDead(draft: string, now: number): Promise<boolean> {
  const text = await readFile(join(draft, OWNER), 'utf8').catch(() => '')
  const owner = ownerSchema.safeParse(parseJson(text))
  if (owner.success && owner.data.host === hostname()) return isGone(owner.data.pid)
  return now - (await stat(draft)).mtimeMs > MAX_SILENCE_MS
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Removes the drafts of killed backups, which would fill the disk, and returns their names. The caller must have locked
 * backups.
 */
export async function removeDeadDrafts(folder: string, now: number): Promise<string[]> {
  const removed: string[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith(DRAFT) || readBackupTime(name.slice(0, -DRAFT.length)) === undefined) continue
    if (!(await isDead(join(folder, name), now))) continue
    await rm(join(folder, name), { recursive: true, force: true })
    removed.push(name)
  }
  return removed
}
