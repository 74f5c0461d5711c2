import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes one line, without its end. */
export type LineSink = (line: string) => void

const limitBytes = 10_000_000

/** The calls of the file system that can fail on a full disk. */
export interface LogFiles {
  append(file: string, text: string): void
  rename(from: string, to: string): void
}

const onDisk: LogFiles = {
  append: (file, text) => appendFileSync(file, text, { mode: 0o600 }),
  rename: renameSync,
}

/**
 * Appends lines to a file; at 10 MB it becomes FILE.1, replacing the one before. Never throws for a line: what cannot be
 * written, on a full disk for example, is dropped, and the next line that can be written states how many were.
 */
export function openLogFile(file: string, files: LogFiles = onDisk): LineSink {
  mkdirSync(dirname(file), { recursive: true })
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0

  function write(text: string): void {
    if (size > limitBytes) {
      files.rename(file, `${file}.1`)
      size = 0
    }
    files.append(file, text)
    size += Buffer.byteLength(text)
  }

  return dropWhatFails(write)
}

/** Never throws for a line: one that cannot be written is dropped, and the next one that can states how many were. */
function dropWhatFails(write: (text: string) => void): LineSink {
  let dropped = 0
  return (line) => {
    const gap = dropped > 0 ? `(${dropped} lines could not be written)\n` : ''
    try {
      write(`${gap}${line}\n`)
      dropped = 0
    } catch {
      dropped += 1
    }
  }
}

const STANDARD_OUTPUT = 1

/**
 * Writes lines to the standard output. Not by process.stdout: if that is a file on a full disk, its error ends the
 * process, and it never writes again.
 */
export const openStandardOutput = (
  append = (text: string): void => appendFileSync(STANDARD_OUTPUT, text),
): LineSink => dropWhatFails(append)
