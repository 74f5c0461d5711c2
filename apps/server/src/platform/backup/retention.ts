import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readManifest } from './manifest.ts'

const NAME = /^isotherm-\d{8}T\d{6}Z$/

/** Complete backups in a folder, the newest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = (await readdir(folder))
    .filter((name) => NAME.test(name))
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

/** Removes all but the newest `keep` backups and returns the names of the removed ones. 0 removes none. */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  if (keep === 0) return []
  const old = (await listBackups(folder)).slice(keep)
  for (const name of old) await rm(join(folder, name), { recursive: true })
  return old
}
