import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '@isotherm/engines/engine'
import { startPostgres } from '@isotherm/engines/postgres'

const VERSIONS = '/usr/lib/postgresql'

/** Folder of the programs of the newest PostgreSQL that Debian installed; undefined without one. */
export const debianPostgres = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
  .toSorted((left, right) => Number(right) - Number(left))
  .map((version) => join(VERSIONS, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'postgres')))

/** A PostgreSQL server that a test may kill. */
export interface OwnPostgres {
  readonly url: string
  /** Kills it by SIGKILL and starts it again. */
  killFor(downMs: number): Promise<void>
  close(): Promise<void>
}

/** Starts the PostgreSQL that Debian installed, or the embedded one. */
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
    async killFor(downMs) {
      process.kill(engine.pid, 'SIGKILL')
      await engine.exited
      await pause(downMs)
      engine = await start(port)
    },
    async close() {
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
