import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '@isotherm/engines/engine'
import { startPostgres } from '@isotherm/engines/postgres'

const VERSIONS = '/usr/lib/postgresql'

/** Programs of the newest PostgreSQL that Debian installed; undefined where there is none. */
export const debianPostgres = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
  .toSorted((left, right) => Number(right) - Number(left))
  .map((version) => join(VERSIONS, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'postgres')))

/** A PostgreSQL of a test's own, to be killed. */
export interface OwnPostgres {
  readonly url: string
  /** kill -9; back after a while. */
  killForAWhile(awayMs: number): Promise<void>
  close(): Promise<void>
}

/** Starts the PostgreSQL that Debian installed, or the embedded one where there is none. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-postgres-'))
  const start = (port: number): Promise<Engine> =>
    startPostgres({
      dataDir,
      port,
      password: 'of the tests only',
      ...(debianPostgres === undefined ? {} : { binDir: debianPostgres }),
    })
  let engine = await start(0)
  const { port, url } = engine
  return {
    url,
    async killForAWhile(awayMs) {
      process.kill(engine.pid, 'SIGKILL')
      await engine.exited
      await pause(awayMs)
      engine = await start(port)
    },
    async close() {
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
