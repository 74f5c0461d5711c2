import { randomBytes } from 'node:crypto'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { inject } from 'vitest'
import { quoteName } from './sql-scan.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the engines of this test run are asked for; made by test-global-setup.ts. */
    engineDeskUrl: string
  }
}

/** A database of its own for one test file. */
export interface TestDatabase {
  readonly url: string
  /** Removes it with all data, also while connections are open. */
  drop(): Promise<void>
}

type EngineName = 'postgres' | 'clickhouse'

/** Address of an engine of this run, which starts with the first question: tests that need none do not wait. */
async function askForEngine(name: EngineName): Promise<string> {
  const response = await fetch(new URL(name, inject('engineDeskUrl')))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

const newName = () => `test_${randomBytes(6).toString('hex')}`

/** An empty PostgreSQL database, on DATABASE_URL where it is set and on the embedded engine otherwise. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL ?? (await askForEngine('postgres'))
  const name = newName()
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  await run(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** An empty ClickHouse database, on CLICKHOUSE_URL where it is set and on the embedded engine otherwise. */
export async function createTestClickhouse(): Promise<TestDatabase> {
  const server = process.env.CLICKHOUSE_URL ?? (await askForEngine('clickhouse'))
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
