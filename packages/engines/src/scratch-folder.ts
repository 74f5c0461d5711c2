import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './process-life.ts'

const MEMORY = '/dev/shm'
const TMPFS_MAGIC = 0x01021994
/** Several times what a run of tests holds at once. */
const ROOM_BYTES = 8 * 2 ** 30

function hasRoom(folder: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder)
    accessSync(folder, constants.W_OK)
    return type === TMPFS_MAGIC && Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES
  } catch {
    return false
  }
}

/**
 * Where tests keep what goes with them: in memory where Linux has 8 GB of it to spare, in the temporary folder
 * otherwise, or where TMPDIR names one. A database is some hundred files, and to make them on a disk costs the
 * processor five times as much.
 */
export function findScratchRoot(): string {
  return process.env.TMPDIR === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir()
}

/**
 * A new folder there, for the life of this process: whoever makes one removes it. Those of processes that were
 * killed outright go when the next one with the same first letters is made.
 */
export function makeScratchFolder(prefix: string, root = findScratchRoot()): string {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(/^(\d+)-/.exec(name.slice(prefix.length))?.[1])
    if (pid > 0 && !isAlive(pid)) rmSync(join(root, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(root, `${prefix}${process.pid}-`))
}
