import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The library of Debian's package `faketime` that changes the time a process reads. */
const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')

/** Whether processes can have a clock of their own on this machine. */
export const canOwnClock = library !== undefined && existsSync(library)

/** The wall clock of one process. Its monotonic clock stays that of the machine, as when somebody sets the clock. */
export interface MachineClock {
  /** Environment of a process with this clock. */
  readonly env: NodeJS.ProcessEnv
  /** Sets the clock to the true time plus an offset. The process sees it within a second. */
  setAheadBy(ms: number): Promise<void>
  close(): Promise<void>
}

export async function createMachineClock(): Promise<MachineClock> {
  if (library === undefined) throw new Error('this machine has no faketime')
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-clock-'))
  const file = join(folder, 'offset')
  const setAheadBy = async (ms: number) => {
    // Replaced as a whole: the library must never read a part.
    await writeFile(`${file}.new`, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1_000}s\n`)
    await rename(`${file}.new`, file)
  }
  await setAheadBy(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
      // Files keep their true times.
      NO_FAKE_STAT: '1',
    },
    setAheadBy,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
