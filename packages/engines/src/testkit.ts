import { randomBytes } from 'node:crypto'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
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

/** A database whose tables are copied. */
interface Template {
  readonly database: string
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
}

/** Templates of this process by name. ClickHouse has no locks, by which the workers of a run could share one. */
const templates = new Map<string, Promise<Template>>()

async function createTemplate(
  client: ClickHouseClient,
  make: (database: string) => Promise<void>,
): Promise<Template> {
  const database = newName()
  await client.command({ query: `CREATE DATABASE ${database}` })
  await make(database)
  const answer = await client.query({
    query: `SELECT name, toUInt32(total_rows) AS rows FROM system.tables WHERE database = '${database}'`,
    format: 'JSONEachRow',
  })
  return { database, tables: await answer.json<Template['tables'][number]>() }
}

/** Copies the tables and their rows. A copy costs less than the changes that made the template. */
async function copyTables(
  client: ClickHouseClient,
  { database, tables }: Template,
  name: string,
): Promise<void> {
  for (const { name: table, rows } of tables) {
    const [from, to] = [`${database}.${quoteName(table)}`, `${name}.${quoteName(table)}`]
    await client.command({ query: `CREATE TABLE ${to} AS ${from}` })
    if (rows > 0) await client.command({ query: `INSERT INTO ${to} SELECT * FROM ${from}` })
  }
}

/**
 * Creates a ClickHouse database, on CLICKHOUSE_URL if set, otherwise on the embedded engine; empty without initial content.
 */
export async function createTestClickhouse(initialContent?: InitialContent): Promise<TestDatabase> {
  const given = process.env.CLICKHOUSE_URL
  const server = given ?? (await requestEngine('clickhouse'))
  const toUrl = (database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href
  const connected = async (work: (client: ClickHouseClient) => Promise<unknown>) => {
    const client = createClient({ url: server })
    try {
      await work(client)
    } finally {
      await client.close()
    }
  }
  const name = newName()
  await connected(async (client) => {
    await client.command({ query: `CREATE DATABASE ${name}` })
    if (!initialContent) return
    const { name: key, make } = initialContent
    // Nobody would remove the template of an external server.
    if (given !== undefined) return make(toUrl(name))
    const template = templates.get(key) ?? createTemplate(client, (database) => make(toUrl(database)))
    templates.set(key, template)
    await copyTables(client, await template, name)
  })
  return {
    url: toUrl(name),
    drop: () => connected((client) => client.command({ query: `DROP DATABASE IF EXISTS ${name}` })),
  }
}
