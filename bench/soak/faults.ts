import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { EnginePids, Urls } from '../server/own-server.ts'
import type { FieldLoad } from './field-load.ts'
import { pauseProcess } from './pause-process.ts'

const PAUSE_MS = 20_000

/** Something that goes wrong on purpose. */
export interface Fault {
  readonly name: string
  run(): Promise<void>
}

async function dropConnections(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
    )
  } finally {
    await client.end()
  }
}

/** The faults of a soak, in their order. */
export function listFaults(
  urls: Urls,
  pids: EnginePids,
  field: FieldLoad,
  people: { vanish(): void },
): readonly Fault[] {
  const { postgres } = pids
  return [
    ...(postgres === undefined
      ? []
      : [{ name: 'PostgreSQL hangs for 20 s', run: () => pauseProcess(postgres, PAUSE_MS) }]),
    { name: 'all gateways lose their connections', run: () => field.restart() },
    { name: 'ClickHouse hangs for 20 s', run: () => pauseProcess(pids.clickhouse, PAUSE_MS) },
    {
      name: 'all consoles close',
      async run() {
        people.vanish()
        await wait(1_000)
      },
    },
    { name: 'PostgreSQL ends all connections', run: () => dropConnections(urls.database) },
  ]
}
