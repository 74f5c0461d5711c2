import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Options } from '../options.ts'
import { runOnStores, runTool } from './run-tool.ts'

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Examines the installation without creating anything: a store that is not there yet is left out. Returns the exit code. */
export async function examine(program: string, words: readonly string[], options: Options): Promise<number> {
  const { dataDir, databaseUrl, clickhouseUrl } = options
  const hasDatabase = databaseUrl !== undefined || (await isThere(join(dataDir, 'postgres', 'cluster')))
  const hasReadings = clickhouseUrl !== undefined || (await isThere(join(dataDir, 'clickhouse', 'store')))
  const stores = [
    ...(hasDatabase ? (['DATABASE_URL'] as const) : []),
    ...(hasReadings ? (['CLICKHOUSE_URL'] as const) : []),
  ]
  // Without secrets nothing was started in this folder yet; external stores are named by the environment already.
  if (!(await isThere(join(dataDir, 'secrets.json')))) return runTool({ program, words }, {})
  return runOnStores({ program, words, stores }, options)
}
