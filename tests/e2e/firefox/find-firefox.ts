import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['firefox-esr', 'firefox']
const MAC = '/Applications/Firefox.app/Contents/MacOS/firefox'

/**
 * The Firefox of this machine: the one named by ISOTHERM_FIREFOX, or an installed one. Undefined if there is none: no npm
 * package contains it.
 */
export function findFirefox(): string | undefined {
  const named = process.env.ISOTHERM_FIREFOX
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), MAC].find((path) =>
    existsSync(path),
  )
}
