import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { SessionAccess, SessionService } from '../../session/index.ts'

/** The session of a connection. */
export interface Watched {
  /** Undefined before the hello. */
  sessionId(): number | undefined
  /** Applies the current access of the session; undefined if it has ended. */
  updateAccess(sessionId: number, access: SessionAccess | undefined): void
}

export interface SessionWatch {
  /**
   * Reads the access of all sessions. Resolves after every connection has the current or a later access, or after a
   * failure. Only one query runs at a time, so that an older answer cannot undo a newer one.
   */
  check(): Promise<void>
  close(): void
}

/**
 * Time after which a connection notices a change of access without a notification. It costs two database queries,
 * whatever the number of connections.
 */
const CHECK_MS = 30_000

/** Updates the access of connections: end of the session, grants and permissions. */
export function watchSessions(
  connections: Iterable<Watched>,
  session: Pick<SessionService, 'findAccess'>,
  clock: Clock,
  log: Log,
): SessionWatch {
  let timer: Timer = clock.setTimeout(tick, CHECK_MS)
  let closed = false
  let query: Promise<void> | undefined
  /** For callers during a running query: its answer may be older than the event they know. */
  let nextQuery: Promise<void> | undefined

  async function readAccess(): Promise<void> {
    const watched = [...connections].flatMap((connection) => {
      const id = connection.sessionId()
      return id === undefined ? [] : [{ connection, id }]
    })
    if (watched.length === 0) return
    try {
      const found = await session.findAccess([...new Set(watched.map(({ id }) => id))])
      if (closed) return
      for (const { connection, id } of watched) connection.updateAccess(id, found.get(id))
    } catch (error) {
      // The connections keep their access until the database answers again.
      log.warn({ err: error }, 'cannot read the access of sessions')
    }
  }

  function check(): Promise<void> {
    if (closed) return Promise.resolve()
    if (query) {
      nextQuery ??= query.then(() => {
        nextQuery = undefined
        return check()
      })
      return nextQuery
    }
    query = readAccess().finally(() => {
      query = undefined
    })
    return query
  }

  function tick(): void {
    check().finally(() => {
      if (!closed) timer = clock.setTimeout(tick, CHECK_MS)
    })
  }

  return {
    check,
    close() {
      closed = true
      timer.cancel()
    },
  }
}
