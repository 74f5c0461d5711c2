import { randomBytes } from 'node:crypto'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { inject } from 'vitest'
import { quoteName } from './clickhouse/sql-scan.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL where this test run requests its engines; provided by test-global-setup.ts. */
    engineServerUrl: string
  }
}

/** A database for one test file. */
export interface TestDatabase {
  readonly url: string
  /** Removes it with all data, even while connections are open. */
  drop(): Promise<void>
}

type EngineName = 'postgres' | 'clickhouse'

/** URL of an engine of this run. The engine starts with the first request, so tests without it do not wait. */
async function requestEngine(name: EngineName): Promise<string> {
  const response = await fetch(new URL(name, inject('engineServerUrl')))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

const newName = () => `test_${randomBytes(6).toString('hex')}`

/** Initial content of databases: created once per run and then copied. */
export interface InitialContent {
  /** Lower-case letters. */
  readonly name: string
  /** Leaves no connection open. */
  make(url: string): Promise<void>
}

/** Creates the template with the first request; later requests wait for it. Returns its name. */
async function provideTemplate(
  client: pg.Client,
  { name, make }: InitialContent,
  toUrl: (database: string) => string,
) {
  const template = `beginning_${name}`
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [template])
  const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [template])
  if (found.rowCount === 0) {
    const draft = newName()
    await client.query(`CREATE DATABASE ${draft}`)
    await make(toUrl(draft))
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
  }
  await client.query('SELECT pg_advisory_unlock(hashtext($1))', [template])
  return template
}

/**
 * Creates a PostgreSQL database, on DATABASE_URL if set, otherwise on the embedded engine; empty without initial content.
 */
export async function createTestDatabase(initialContent?: InitialContent): Promise<TestDatabase> {
  const given = process.env.DATABASE_URL
  const server = given ?? (await requestEngine('postgres'))
  const toUrl = (database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href
  const connected = async (work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }
  const name = newName()
  const url = toUrl(name)
  await connected(async (client) => {
    // On an external server the template is removed.
    const isCopied = initialContent !== undefined && given === undefined
    const template = isCopied ? await provideTemplate(client, initialContent, toUrl) : 'template1'
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    if (!isCopied) await initialContent?.make(url)
  })
  return {
    url,
    drop: () => connected((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

/** Creates an empty ClickHouse database, on CLICKHOUSE_URL if set, otherwise on the embedded engine. */
export async function createTestClickhouse(): Promise<TestDatabase> {
  const server = process.env.CLICKHOUSE_URL ?? (await requestEngine('clickhouse'))
  const name = newName()
  const run = async (query: string) => {
    const client = createClient({ url: server })
    try {
      await client.command({ query })
    } finally {
      await client.close()
    }
  }
  await run(`CREATE DATABASE ${quoteName(name)}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS ${quoteName(name)}`) }
}
