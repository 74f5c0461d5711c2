import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startEmptyDatabase } from './empty-database.testkit.ts'

test('PostgreSQL frees the connection of a server that vanished after 90 s', async () => {
  const { db, close } = await startEmptyDatabase()
  const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout']
  try {
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name = any(${names}::text[])`.execute(db)
    // As the socket has them: 60 s without traffic, then three questions 10 s apart; and ms for sent bytes.
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      tcp_keepalives_idle: '60',
      tcp_keepalives_interval: '10',
      tcp_keepalives_count: '3',
      tcp_user_timeout: '90000',
    })
  } finally {
    await close()
  }
})
