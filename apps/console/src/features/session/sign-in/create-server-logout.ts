/** Result of a logout on the server. */
export type LogoutOutcome = 'sent' | 'over' | 'unreachable'

export interface ServerLogoutPorts {
  /** Ends the session of a token on the server. Never throws. */
  readonly send: (token: string) => Promise<LogoutOutcome>
  readonly now: () => number
  /** Runs a function when a retry is useful; returns its cancellation. */
  readonly again: (run: () => void) => () => void
  /** Called once for a session, not for every attempt. */
  readonly onUnreachable: (session: EndedSession) => void
  /** The server has ended the session, or it had ended before. */
  readonly onOver: (session: EndedSession) => void
}

export interface EndedSession {
  readonly token: string
  /** Expiry of the session, Unix ms. */
  readonly expiresAt: number
  readonly onDone?: (() => void) | undefined
}

/**
 * Creates the function that ends a session on the server. Retries until the server answers or the session expires. The
 * token stays in memory only; `onUnreachable` may store its hash for another page.
 */
export function createServerLogout(ports: ServerLogoutPorts) {
  async function attempt(session: EndedSession, isFirst: boolean): Promise<void> {
    const outcome = await ports.send(session.token)
    if (outcome === 'sent') session.onDone?.()
    if (outcome !== 'unreachable') return ports.onOver(session)
    if (isFirst) ports.onUnreachable(session)
    const cancel = ports.again(() => {
      cancel()
      if (ports.now() < session.expiresAt) void attempt(session, false)
    })
  }
  return {
    send: (session: EndedSession): void => void attempt(session, true),
  }
}
