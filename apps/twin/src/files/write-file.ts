import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file so that a crash leaves either the old or the new one. Creates its folder. */
export function writeFileWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.new`
  writeFileSync(fresh, text)
  renameSync(fresh, path)
}
