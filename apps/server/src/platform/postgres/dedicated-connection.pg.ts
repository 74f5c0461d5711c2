import type pg from 'pg'
import { systemClock } from '../clock.ts'
import { withTimeout } from '../tasks/timeout.ts'

/** One connection for frequent queries. */
export interface DedicatedConnection {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>
  /** Returns the connection to the pool, so that the pool can end. */
  release(): void
}

/** Same as the time limit of a new connection. TCP alone notices a silently dropped connection only after minutes. */
const TIMEOUT_MS = 5_000

interface OpenConnection {
  readonly client: pg.PoolClient
  /** Drops the connection; the next query opens another. */
  drop(error: Error): void
}

/**
 * Reserves one connection of a pool for frequent queries: a checkout for each query would take as long as the query.
 * The first query opens it. After a lost connection, or no answer within `timeoutMs`, the next query opens another.
 * Queries run one after the other.
 */
export function createDedicatedConnection(pool: pg.Pool, timeoutMs = TIMEOUT_MS): DedicatedConnection {
  let current: Promise<OpenConnection> | undefined

  async function connect(): Promise<OpenConnection> {
    const client = await pool.connect()
    let isDropped = false
    const drop = (error: Error): void => {
      if (isDropped) return
      isDropped = true
      client.off('error', drop)
      if (current === opened) current = undefined
      client.release(error)
    }
    client.on('error', drop)
    const opened = current
    return { client, drop }
  }

  function getConnection(): Promise<OpenConnection> {
    if (current) return current
    const opening = connect()
    current = opening
    opening.catch(() => {
      if (current === opening) current = undefined
    })
    return opening
  }

  return {
    async query<Row extends pg.QueryResultRow>(query: pg.QueryConfig) {
      const { client, drop } = await getConnection()
      return withTimeout(systemClock, timeoutMs, () => client.query<Row>(query), drop)
    },
    release() {
      current?.then(
        ({ client }) => client.release(),
        () => undefined,
      )
      current = undefined
    },
  }
}
