import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes one line, without its end. */
export type LineSink = (line: string) => void

const limitBytes = 10_000_000

/** Appends lines to a file; at 10 MB it becomes FILE.1, replacing the one before. */
export function openLogFile(file: string): LineSink {
  mkdirSync(dirname(file), { recursive: true })
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return (line) => {
    if (size > limitBytes) {
      renameSync(file, `${file}.1`)
      size = 0
    }
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
    size += Buffer.byteLength(line) + 1
  }
}
