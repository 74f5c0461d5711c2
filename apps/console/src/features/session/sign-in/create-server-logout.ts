/** Result of a logout on the server. */
export type LogoutOutcome = 'sent' | 'over' | 'unreachable'

export interface ServerLogoutPorts {
  /** Ends the session of a token on the server. Never throws. */
  readonly send: (token: string) => Promise<LogoutOutcome>
  readonly now: () => number
  /** Runs a function when a retry is useful; returns its cancellation. */
  readonly again: (run: () => void) => () => void
  /** Called once for a session, not for every attempt. */
  readonly onUnreachable: () => void
}

export interface EndedSession {
  readonly token: string
  /** Expiry of the session, Unix ms. */
  readonly expiresAt: number
  readonly onDone?: (() => void) | undefined
}

/**
 * Creates the function that ends a session on the server. Retries until the server answers or the session expires. The
 * token stays in memory only.
 */
export function createServerLogout(ports: ServerLogoutPorts) {
  async function attempt({ token, expiresAt, onDone }: EndedSession, isFirst: boolean): Promise<void> {
    const outcome = await ports.send(token)
    if (outcome === 'sent') onDone?.()
    if (outcome !== 'unreachable') return
    if (isFirst) ports.onUnreachable()
    const cancel = ports.again(() => {
      cancel()
      if (ports.now() < expiresAt) void attempt({ token, expiresAt, onDone }, false)
    })
  }
  return {
    send: (session: EndedSession): void => void attempt(session, true),
  }
}
