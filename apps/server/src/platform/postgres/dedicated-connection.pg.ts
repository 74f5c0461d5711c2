import type pg from 'pg'
import { systemClock } from '../clock.ts'
import { inTime } from '../tasks/timeout.ts'

export interface HeldConnection {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>
  /** Gives it back, so that the pool can end. */
  release(): void
}

/** As long as a connection may take to be made: what was dropped on its way is noticed by nobody for many minutes. */
const GIVE_UP_MS = 5_000

interface Held {
  readonly client: pg.PoolClient
  /** Gives it up: the next question takes another. */
  lose(error: Error): void
}

/**
 * One connection of a pool for what is asked all the time: taken at the first question and kept, since taking it
 * from the pool and giving it back takes as long as the question. When it is lost, or answers nothing for `giveUpMs`,
 * the next question takes another. Questions wait for each other.
 */
export function holdConnection(pool: pg.Pool, giveUpMs = GIVE_UP_MS): HeldConnection {
  let held: Promise<Held> | undefined

  async function take(): Promise<Held> {
    const client = await pool.connect()
    let isLost = false
    const lose = (error: Error): void => {
      if (isLost) return
      isLost = true
      client.off('error', lose)
      if (held === taken) held = undefined
      client.release(error)
    }
    client.on('error', lose)
    const taken = held
    return { client, lose }
  }

  function hold(): Promise<Held> {
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
      const { client, lose } = await hold()
      return inTime(systemClock, giveUpMs, () => client.query<Row>(query), lose)
    },
    release() {
      held?.then(
        ({ client }) => client.release(),
        () => undefined,
      )
      held = undefined
    },
  }
}
