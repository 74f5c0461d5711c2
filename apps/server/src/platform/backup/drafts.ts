import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { DAY_MS } from '@isotherm/kernel/durations'
import { readBackupTime } from '@isotherm/kernel/machine/backup-name'
import { z } from 'zod'

/** Ending of a backup until it is whole. */
const DRAFT = '.part'
const OWNER = 'owner.json'
/** No file of a backup takes so long. */
const MAX_SILENCE_MS = 2 * DAY_MS

const ownerSchema = z.object({ host: z.string(), pid: z.number().int().positive() })

/** Creates the folder in which a backup is written. */
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

/** Gives a whole backup its name, which survives a power failure only together with its files. */
export async function finishDraft(draft: string, target: string): Promise<void> {
  await rm(join(draft, OWNER))
  await syncFolder(draft)
  await rename(draft, target)
  await syncFolder(dirname(target))
}

function isGone(pid: number): boolean {
  // After a restart of a container this process can have the id of the one before.
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Whether nobody writes this draft any more. */
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

/** Removes what killed backups left, which would fill the disk, and returns the names. Called under the lock of backups. */
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
