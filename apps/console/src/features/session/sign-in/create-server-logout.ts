/** What became of telling the server. */
export type LogoutOutcome = 'sent' | 'over' | 'unreachable'

export interface ServerLogoutPorts {
  /** Asks the server to end the session of a token. Never throws. */
  readonly send: (token: string) => Promise<LogoutOutcome>
  readonly now: () => number
  /** Calls back when it is worth trying again; gives what cancels it. */
  readonly again: (run: () => void) => () => void
  /** Called once for a session, not for every attempt. */
  readonly onUnreachable: () => void
}

export interface EndedSession {
  readonly token: string
  /** When the session ends by itself, Unix ms. */
  readonly expiresAt: number
  readonly onDone?: (() => void) | undefined
}

/**
 * Tells the server that a session is to end, as often as it takes to reach it, but no longer than the session
 * would live. The token is held in memory only: with the page it is gone.
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
    say: (serverLogout: EndedSession): void => void attempt(serverLogout, true),
  }
}
