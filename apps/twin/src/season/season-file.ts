import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { writeFileWhole } from '../files/write-file.ts'

/** How far the past of a company was sent. It never changes after the first start, so that all messages stay the same. */
const seasonFile = z.object({
  /** Boot number of the messages. */
  boot: z.number().int().nonnegative(),
  days: z.number().int().positive(),
  /** Instant of the last reading, Unix ms. */
  endMs: z.number().int().positive(),
  isSent: z.boolean(),
})
export type SeasonFile = z.infer<typeof seasonFile>

/** Reads the file; undefined if there is none, or it cannot be read: then nothing more is sent. */
export function readSeasonFile(path: string): SeasonFile | undefined {
  try {
    return seasonFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

export const writeSeasonFile = (path: string, file: SeasonFile): void =>
  writeFileWhole(path, JSON.stringify(file))
