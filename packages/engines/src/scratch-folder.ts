import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './process-life.ts'

const MEMORY = '/dev/shm'
const TMPFS_MAGIC = 0x01021994
/** Free memory required: several times the data of a test run. */
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
 * Folder for temporary data of tests: in memory if Linux has 8 GB free, otherwise, or if TMPDIR is set, the temporary folder.
 * A database is some hundred files; creating them on a disk costs five times as much processor time.
 */
export function findScratchRoot(): string {
  return process.env.TMPDIR === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir()
}

/**
 * Creates a temporary folder, which the caller removes. Folders of killed processes are removed when the next one with the
 * same prefix is created.
 */
export function makeScratchFolder(prefix: string, root = findScratchRoot()): string {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(/^(\d+)-/.exec(name.slice(prefix.length))?.[1])
    if (pid > 0 && !isAlive(pid)) rmSync(join(root, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(root, `${prefix}${process.pid}-`))
}
