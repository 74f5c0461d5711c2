import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Options, StartRefused } from '../options.ts'
import { prepareFolder } from '../preflight.ts'
import { loadSecrets, writeSecrets } from '../secrets.ts'
import { runOnStores, runTool } from './run-tool.ts'

/** What an empty data folder may contain: logs, the lock of this command, and what a file system creates. */
const harmless: readonly string[] = ['logs', 'launcher.lock', 'lost+found']
const restoredMessage = z.object({ secrets: z.object({ mqtt: z.string(), factor: z.string().optional() }) })

async function listContents(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new StartRefused(`ISOTHERM_DATA: cannot read ${folder} (${error.code})`, { cause: error })
  })
  return names.filter((name) => !harmless.includes(name))
}

/**
 * Restores a backup into an empty data folder, or into empty stores that the environment names. The backup is checked
 * before anything is written. If it fails, the folder is empty again. Returns the exit code.
 */
export async function restore(program: string, words: readonly string[], options: Options): Promise<number> {
  const { dataDir } = options
  const check = { program, words: ['--check', ...words], stores: [] }
  if (words.includes('--check')) return runTool({ ...check, words }, {})
  const contents = await listContents(dataDir)
  if (contents.length > 0) {
    throw new StartRefused(
      `the data folder ${dataDir} is not empty (${contents.slice(0, 3).join(', ')}); a restore needs an empty one: ` +
        'set ISOTHERM_DATA to another folder, or move this one away. Nothing was changed',
    )
  }
  const checked = await runTool(check, {})
  if (checked !== 0) return checked
  await prepareFolder(dataDir)
  let restored: z.infer<typeof restoredMessage> | undefined
  const code = await runOnStores(
    {
      program,
      words,
      stores: ['DATABASE_URL', 'CLICKHOUSE_URL'],
      bringsSecrets: true,
      onMessage: (message) => {
        restored = restoredMessage.parse(message)
      },
    },
    options,
  )
  if (code === 0 && restored) {
    await writeSecrets(dataDir, { ...(await loadSecrets(dataDir)), ...restored.secrets })
    return 0
  }
  for (const name of await listContents(dataDir)) await rm(join(dataDir, name), { recursive: true })
  return code === 0 ? 1 : code
}
