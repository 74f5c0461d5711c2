import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { startPostgres } from '@isotherm/engines/postgres'
import { exitOf } from '@isotherm/engines/process-life'
import { findHolder, lockFolder } from './data-lock.ts'
import type { Options } from './options.ts'
import { loadSecrets } from './secrets.ts'

/**
 * Runs a command of the server on the database, with this terminal: on the given database, on that of the running product,
 * or on one that is started for the command. Returns its exit code.
 */
export async function runOnDatabase(
  program: string,
  words: readonly string[],
  options: Options,
): Promise<number> {
  const run = async (databaseUrl: string): Promise<number> => {
    const { mqtt } = await loadSecrets(options.dataDir)
    const child = spawn(process.execPath, [program, ...words], {
      env: { ...process.env, DATABASE_URL: databaseUrl, ISOTHERM_MQTT_SECRET: mqtt },
      stdio: 'inherit',
    })
    return (await exitOf(child)) ?? 1
  }
  const running = options.databaseUrl ?? (await findHolder(options.dataDir))?.databaseUrl
  if (running !== undefined) return run(running)
  const lock = await lockFolder(options.dataDir)
  try {
    const { postgres: password } = await loadSecrets(options.dataDir)
    const engine = await startPostgres({ dataDir: join(options.dataDir, 'postgres'), port: 0, password })
    try {
      return await run(engine.url)
    } finally {
      await engine.stop()
    }
  } finally {
    await lock.release()
  }
}
