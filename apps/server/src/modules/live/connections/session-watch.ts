import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { createSharedRead } from '../../../platform/tasks/shared-read.ts'
import type { SessionAccess, SessionService } from '../../session/index.ts'

/** A connection and the session that it belongs to. */
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
 * Interval between checks, for changes of access that no notification reported. A check needs two database queries
 * for all connections together.
 */
const CHECK_MS = 30_000

/** Updates the access of connections: end of the session, grants and permissions. */
export function watchSessions(
  connections: Iterable<Watched>,
  session: Pick<SessionService, 'findAccess'>,
  clock: Clock,
  log: Log,
): SessionWatch {
  let closed = false

  async function readAccess(): Promise<void> {
    const watched = [...connections].flatMap((connection) => {
      const id = connection.sessionId()
      return id === undefined ? [] : [{ connection, id }]
    })
    if (closed || watched.length === 0) return
    const found = await session.findAccess([...new Set(watched.map(({ id }) => id))])
    if (closed) return
    for (const { connection, id } of watched) connection.updateAccess(id, found.get(id))
  }

  // A caller during a query waits for the next query: the running one may have started before the caller's event.
  const readShared = createSharedRead(readAccess)
  /** The connections keep their access until the database answers again. */
  const onError = (error: unknown) => log.warn({ err: error }, 'cannot read the access of sessions')
  const loop = startPollLoop({ clock, pauseMs: CHECK_MS, firstMs: CHECK_MS, work: readShared, onError })

  return {
    check: () => readShared().catch(onError),
    close() {
      // A query that still runs has no effect, so nothing waits for it.
      closed = true
      loop.close()
    },
  }
}
