import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { SessionAccess, SessionService } from '../../session/index.ts'

/** A connection as far as its session goes. */
export interface Watched {
  /** Undefined before it said hello. */
  sessionId(): number | undefined
  /** Takes what the session may do now; undefined when it has ended. */
  updateAccess(sessionId: number, access: SessionAccess | undefined): void
}

export interface SessionWatch {
  /**
   * Asks for all sessions at once; resolves when every connection knows what is so now or later, also when that
   * could not be asked. One question at a time: an older answer must not undo a newer one.
   */
  check(): Promise<void>
  close(): void
}

/**
 * How long a connection may go on with what its user was granted before, when nobody tells. It costs two
 * questions to the database, however many connections there are.
 */
const CHECK_MS = 30_000

/** Keeps what connections may see in step with their sessions: ends, grants and permissions. */
export function watchSessions(
  connections: Iterable<Watched>,
  session: Pick<SessionService, 'findAccess'>,
  clock: Clock,
  log: Log,
): SessionWatch {
  let timer: Timer = clock.setTimeout(tick, CHECK_MS)
  let closed = false
  let asking: Promise<void> | undefined
  /** For all who asked while a question was under way, whose answer may be older than what they heard of. */
  let askedMeanwhile: Promise<void> | undefined

  async function ask(): Promise<void> {
    const asked = [...connections].flatMap((connection) => {
      const id = connection.sessionId()
      return id === undefined ? [] : [{ connection, id }]
    })
    if (asked.length === 0) return
    try {
      const found = await session.findAccess([...new Set(asked.map(({ id }) => id))])
      if (closed) return
      for (const { connection, id } of asked) connection.updateAccess(id, found.get(id))
    } catch (error) {
      // They keep what they have until the database answers again.
      log.warn({ err: error }, 'cannot ask what sessions may do now')
    }
  }

  function check(): Promise<void> {
    if (closed) return Promise.resolve()
    if (asking) {
      askedMeanwhile ??= asking.then(() => {
        askedMeanwhile = undefined
        return check()
      })
      return askedMeanwhile
    }
    asking = ask().finally(() => {
      asking = undefined
    })
    return asking
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
