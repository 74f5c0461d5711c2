import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startClickhouse } from '@isotherm/engines/clickhouse/clickhouse'
import type { Engine } from '@isotherm/engines/engine'
import { startPostgres } from '@isotherm/engines/postgres'
import type { MqttClient } from 'mqtt'
import { expect, test } from 'vitest'
import {
  CONCENTRATORS,
  countRows,
  FAULT_SECONDS,
  isWholeForm,
  MESSAGES_PER_S,
  sendLoad,
  VALUES,
} from './load.testkit.ts'
import { type Stores, startTestServer, type TestServer } from './server.testkit.ts'

const TOTAL = FAULT_SECONDS * MESSAGES_PER_S
const KILLS = isWholeForm ? [0.3, 0.5, 0.7] : [0.5]
/** Time that a killed store stays away the last time. */
const AWAY_MS = isWholeForm ? 300_000 : 2_000
const TIMEOUT_MS = (FAULT_SECONDS + 300) * 1_000 + AWAY_MS
/** Most additional memory of the server while a store is away. */
const MAX_GROWTH_MB = 400

interface Killed {
  readonly server: TestServer
  /** Kills it and starts it again. */
  readonly kill: (index: number) => Promise<void>
  readonly close: () => Promise<void>
}

async function startAndKillServer(): Promise<Killed> {
  const server = await startTestServer(CONCENTRATORS)
  return {
    server,
    async kill() {
      await server.kill()
      await server.restart()
    },
    close: server.close,
  }
}

/** A server on an engine of its own, which is killed and restarted with its data. */
async function startAndKillEngine(
  start: (dataDir: string, port: number) => Promise<Engine>,
  toStores: (url: string) => Stores,
): Promise<Killed> {
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-engine-'))
  let engine = await start(dataDir, 0)
  const { port } = engine
  const server = await startTestServer(CONCENTRATORS, toStores(engine.url))
  return {
    server,
    async kill(index) {
      process.kill(engine.pid, 'SIGKILL')
      await engine.exited
      await pause(index === KILLS.length - 1 ? AWAY_MS : 0)
      engine = await start(dataDir, port)
    },
    async close() {
      await server.close()
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const password = 'of the tests only'

test.each([
  ['the server', startAndKillServer],
  [
    'the embedded ClickHouse',
    () =>
      startAndKillEngine(
        (dataDir, port) => startClickhouse({ dataDir, port, password }),
        (clickhouseUrl) => ({ clickhouseUrl }),
      ),
  ],
  [
    'the embedded PostgreSQL',
    () =>
      startAndKillEngine(
        (dataDir, port) => startPostgres({ dataDir, port, password }),
        (databaseUrl) => ({ databaseUrl }),
      ),
  ],
])(
  `kill -9 of %s at ${MESSAGES_PER_S} messages/s: acknowledged messages are stored exactly once`,
  {
    timeout: TIMEOUT_MS,
  },
  async (_name, start) => {
    const { server, kill, close } = await start()
    const clients: MqttClient[] = []
    try {
      for (let index = 0; index < CONCENTRATORS; index += 1) clients.push(await server.connect(index))
      const before = await server.residentMb()
      let most = 0
      const disturbances = KILLS.map((at, index) => ({
        at,
        async act() {
          await kill(index)
          most = Math.max(most, await server.residentMb())
        },
      }))
      const { acknowledged, unacknowledged } = await sendLoad({ clients, total: TOTAL, disturbances })
      expect(unacknowledged).toBeGreaterThan(0)
      expect(acknowledged.size).toBe(TOTAL)
      expect(most - before).toBeLessThan(MAX_GROWTH_MB)

      // Without FINAL: there are no duplicate rows, even before the engine would merge them.
      const stored = await countRows(server.clickhouse)
      expect([...acknowledged].filter((key) => !stored.has(key))).toEqual([])
      expect([...stored].filter(([, rows]) => rows !== VALUES)).toEqual([])
      expect(stored.size).toBe(TOTAL)
      console.log(`${acknowledged.size} messages acknowledged, ${stored.size} stored, each once`)
    } finally {
      for (const client of clients) client.end(true)
      await close()
    }
  },
)
