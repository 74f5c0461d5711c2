import type pg from 'pg'

export interface HeldConnection {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>
  /** Gives it back, so that the pool can end. */
  release(): void
}

/**
 * One connection of a pool for what is asked all the time: taken at the first question and kept, since taking it
 * from the pool and giving it back takes as long as the question. When it is lost the next question takes another.
 * Questions wait for each other.
 */
export function holdConnection(pool: pg.Pool): HeldConnection {
  let held: Promise<pg.PoolClient> | undefined

  async function take(): Promise<pg.PoolClient> {
    const client = await pool.connect()
    const lose = (error: Error): void => {
      client.off('error', lose)
      held = undefined
      client.release(error)
    }
    client.on('error', lose)
    return client
  }

  function hold(): Promise<pg.PoolClient> {
    if (held) return held
    const taken = take()
    held = taken
    taken.catch(() => {
      if (held === taken) held = undefined
    })
    return taken
  }

  return {
    async query<Row extends pg.QueryResultRow>(query: pg.QueryConfig) {
      const client = await hold()
      return client.query<Row>(query)
    },
    release() {
      held?.then(
        (client) => client.release(),
        () => undefined,
      )
      held = undefined
    },
  }
}
