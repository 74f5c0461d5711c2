import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(folder)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Creates a folder and the missing ones above it, which other users of the machine cannot list or read. Not mkdir's recursion: it never
 * ends below /proc, where a new folder is refused as if its parent were missing.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await exists(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 })
}
