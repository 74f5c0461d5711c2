import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Reads what the device stored before its restart, or takes `fresh`. `save` replaces the file as a whole. */
export function openState<State extends object>(file: string, fresh: State) {
  const state: State = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : fresh
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(state))
    renameSync(`${file}.new`, file)
  }
  return { state, save }
}
