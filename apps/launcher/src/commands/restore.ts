import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { endPostgresOf } from '@isotherm/engines/postgres'
import { z } from 'zod'
import { listenForEnd } from '../end-signals.ts'
import { lockFolder } from '../locks/data-lock.ts'
import { type Options, StartRefused } from '../options.ts'
import { prepareFolder } from '../preflight.ts'
import { loadSecrets, writeSecrets } from '../secrets.ts'
import { runOnStarted, runTool, type Tool, toGivenStores } from './run-tool.ts'
import { markUnfinished, UNFINISHED_RESTORE, unmarkUnfinished } from './unfinished-restore.ts'

/** What an empty data folder may contain besides locks: logs, and the folder that a file system creates itself. */
const harmless: readonly string[] = ['logs', 'lost+found']
const restoredMessage = z.object({ secrets: z.object({ mqtt: z.string(), factor: z.string().optional() }) })

async function listContents(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new StartRefused(`ISOTHERM_DATA: cannot read ${folder} (${error.code})`, { cause: error })
  })
  return names.filter((name) => !harmless.includes(name) && !name.startsWith('launcher.lock'))
}

/** Removes all but what an empty folder may contain. */
async function clear(dataDir: string): Promise<void> {
  // The database of a killed launcher may still be running and write files.
  await endPostgresOf(join(dataDir, 'postgres'))
  for (const name of await listContents(dataDir))
    if (name !== UNFINISHED_RESTORE)
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  // Last, so that an interruption leaves a folder that the next restore clears.
  await rm(join(dataDir, UNFINISHED_RESTORE), { force: true })
}

/** Throws StartRefused unless the folder is empty, or has only what an unfinished restore left, which is removed. */
async function requireEmpty(dataDir: string): Promise<void> {
  const contents = await listContents(dataDir)
  if (contents.includes(UNFINISHED_RESTORE)) return clear(dataDir)
  if (contents.length > 0) {
    throw new StartRefused(
      `the data folder ${dataDir} is not empty (${contents.slice(0, 3).join(', ')}); a restore needs an empty one: ` +
        'set ISOTHERM_DATA to another folder, or move this one away. Nothing was changed',
    )
  }
}

/** Fills the folder, or empties it again. Returns the exit code. */
async function fill(
  program: string,
  words: readonly string[],
  options: Options,
  signal: AbortSignal,
): Promise<number> {
  const { dataDir } = options
  let message: unknown
  let isWhole = false
  await markUnfinished(dataDir)
  try {
    const tool: Tool = {
      program,
      words,
      stores: ['DATABASE_URL', 'CLICKHOUSE_URL'],
      bringsSecrets: true,
      onMessage: (received) => {
        message = received
      },
    }
    const code = await runOnStarted(tool, options, toGivenStores(options), signal)
    const restored = restoredMessage.safeParse(message)
    if (code !== 0 || !restored.success || signal.aborted) return code || 1
    await writeSecrets(dataDir, { ...(await loadSecrets(dataDir)), ...restored.data.secrets })
    await unmarkUnfinished(dataDir)
    isWhole = true
    return 0
  } finally {
    if (!isWhole) await clear(dataDir)
  }
}

/**
 * Restores a backup into an empty data folder, or into empty stores that the environment names. The folder is locked
 * against a product and another restore. The backup is checked before anything is written. If it fails or is
 * interrupted, the folder is empty again; the next restore removes what a killed one left. Returns the exit code.
 */
export async function restore(program: string, words: readonly string[], options: Options): Promise<number> {
  const { dataDir } = options
  if (words.includes('--check')) return runTool({ program, words }, {})
  await prepareFolder(dataDir)
  const lock = await lockFolder(dataDir)
  const ending = new AbortController()
  listenForEnd({ onEnd: () => ending.abort(), onEndNow: () => process.exit(1) })
  try {
    await requireEmpty(dataDir)
    const checked = await runTool({ program, words: ['--check', ...words] }, {}, ending.signal)
    if (checked !== 0 || ending.signal.aborted) return checked || 1
    return await fill(program, words, options, ending.signal)
  } finally {
    await lock.release()
  }
}
