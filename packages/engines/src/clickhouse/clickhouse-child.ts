/**
 * The process around chDB: opens the data folder, serves it over HTTP on 127.0.0.1 and ends with its parent.
 * Started by clickhouse.ts only, which sends the options as the first message and receives the port.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { drainPending, Session } from 'chdb'
import { createClickhouseFront } from './clickhouse-http.ts'
import { createSessionPool } from './clickhouse-sessions.ts'
import { quoteName } from './sql-scan.ts'

interface StartMessage {
  readonly dataDir: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  readonly configFile?: string
}

function isStartMessage(message: unknown): message is StartMessage {
  return typeof message === 'object' && message !== null && 'dataDir' in message && 'password' in message
}

async function serve(start: StartMessage): Promise<number> {
  const folder = join(start.dataDir, 'store')
  const incomingDir = join(start.dataDir, 'incoming')
  // Removes rows of interrupted inserts, which were never acknowledged.
  await rm(incomingDir, { recursive: true, force: true })
  await mkdir(incomingDir, { recursive: true, mode: 0o700 })
  // Open as long as the process runs: the engine closes the folder with its last session.
  const connectionArgs = start.configFile === undefined ? [] : [`--config-file=${start.configFile}`]
  const keeper = new Session(folder, { connectionArgs })
  await keeper.queryAsync(`CREATE DATABASE IF NOT EXISTS ${quoteName(start.database)}`)
  const sessions = createSessionPool(folder)
  const server = createClickhouseFront({ ...start, sessions, incomingDir })

  const end = () => {
    server.close(async () => {
      sessions.close()
      keeper.close()
      await drainPending()
      process.exit(0)
    })
    server.closeIdleConnections()
    // A running statement ends with the process; acknowledged rows are on disk.
    setTimeout(() => process.exit(0), 5_000).unref()
  }
  process.once('disconnect', end)
  process.once('SIGTERM', end)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(start.port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : start.port)
    })
  })
}

process.on('SIGINT', () => {})
process.once('message', (message) => {
  if (!isStartMessage(message)) throw new Error('clickhouse-child is started by clickhouse.ts only')
  serve(message).then(
    (port) => process.send?.({ port }),
    (error: unknown) => {
      process.send?.({ failed: error instanceof Error ? error.message : String(error) }, () =>
        process.exit(1),
      )
    },
  )
})
