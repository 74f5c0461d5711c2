import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { writeFileWhole } from '../files/write-file.ts'

/**
 * The season that was sent before the first start. It never changes after that, so that all messages stay the same
 * when they are sent again.
 */
const seasonFile = z.object({
  /** Boot number of the messages. */
  boot: z.number().int().nonnegative(),
  days: z.number().int().positive(),
  /** Instant of the last reading, Unix ms. */
  endMs: z.number().int().positive(),
  isSent: z.boolean(),
})
export type SeasonFile = z.infer<typeof seasonFile>

/** Reads the file; undefined if it is missing or cannot be read. Then no more of the season is sent. */
export function readSeasonFile(path: string): SeasonFile | undefined {
  try {
    return seasonFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

export const writeSeasonFile = (path: string, file: SeasonFile): void =>
  writeFileWhole(path, JSON.stringify(file))
