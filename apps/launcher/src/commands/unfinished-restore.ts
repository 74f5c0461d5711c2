import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefused } from '../options.ts'

/** File in a data folder while a restore fills it. */
export const UNFINISHED_RESTORE = 'restore.unfinished'

const fileOf = (dataDir: string) => join(dataDir, UNFINISHED_RESTORE)

export const markUnfinished = (dataDir: string): Promise<void> =>
  writeFile(fileOf(dataDir), 'A restore fills this folder, or was interrupted.\n', {
    mode: 0o600,
    flush: true,
  })

export const unmarkUnfinished = (dataDir: string): Promise<void> => rm(fileOf(dataDir))

/** Throws StartRefused if a restore into the folder did not end: it has a part of an installation. */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const isThere = await access(fileOf(dataDir)).then(
    () => true,
    () => false,
  )
  if (isThere)
    throw new StartRefused(
      `the data folder ${dataDir} contains a restore that is not finished; run the restore again, which removes it first`,
    )
}
