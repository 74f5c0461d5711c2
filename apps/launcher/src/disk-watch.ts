import { statfs } from 'node:fs/promises'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { type DiskSpace, judgeSpace, toSpaceText } from '@isotherm/kernel/machine/disk-space'

/** PostgreSQL needs a few segments of 16 MB for its recovery after a full disk. */
const NEEDED_BYTES = 64e6

export type ReadSpace = () => Promise<DiskSpace>

export const readSpaceOf =
  (folder: string): ReadSpace =>
  async () => {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  }

/** Why no part can start: the disk is full. Undefined if there is room, or if it is not known. */
export async function findFullDisk(folder: string, read = readSpaceOf(folder)): Promise<string | undefined> {
  const space = await read().catch(() => undefined)
  if (space === undefined || space.freeBytes >= NEEDED_BYTES) return undefined
  return `the disk of ${folder} is full; free at least ${NEEDED_BYTES / 1e6} MB, and it continues without a restart`
}

/** Reports each change of the state of a disk. */
export function createDiskWatch(folder: string, report: (line: string) => void, read = readSpaceOf(folder)) {
  let state: ReturnType<typeof judgeSpace> = 'ok'
  return {
    async check(): Promise<void> {
      const space = await read().catch(() => undefined)
      if (space === undefined) return
      const now = judgeSpace(space)
      if (now === state) return
      state = now
      const text = `${toSpaceText(space)} (${folder})`
      if (now === 'ok') report(`the disk has room again: ${text}`)
      else if (now === 'warning') report(`the disk is filling up: ${text}`)
      else report(`the disk is nearly full, writes will fail soon: ${text}; free space now`)
    },
  }
}

/** Checks now and every half minute until the signal aborts. */
export function startDiskWatch(folder: string, report: (line: string) => void, signal: AbortSignal): void {
  const watch = createDiskWatch(folder, report)
  const timer = setInterval(() => void watch.check(), MINUTE_MS / 2).unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  void watch.check()
}
