/** What became of telling the server. */
export type Told = 'told' | 'over' | 'unreachable'

export interface FarewellPorts {
  /** Asks the server to end the session of a token. Never throws. */
  readonly tell: (token: string) => Promise<Told>
  readonly now: () => number
  /** Calls back when it is worth trying again; gives what cancels it. */
  readonly again: (run: () => void) => () => void
  /** Called once for a session, not for every attempt. */
  readonly onUnreachable: () => void
}

export interface Farewell {
  readonly token: string
  /** When the session ends by itself, Unix ms. */
  readonly expiresAt: number
  readonly onTold?: (() => void) | undefined
}

/**
 * Tells the server that a session is to end, as often as it takes to reach it, but no longer than the session
 * would live. The token is held in memory only: with the page it is gone.
 */
export function createFarewell(ports: FarewellPorts) {
  async function attempt({ token, expiresAt, onTold }: Farewell, isFirst: boolean): Promise<void> {
    const told = await ports.tell(token)
    if (told === 'told') onTold?.()
    if (told !== 'unreachable') return
    if (isFirst) ports.onUnreachable()
    const cancel = ports.again(() => {
      cancel()
      if (ports.now() < expiresAt) void attempt({ token, expiresAt, onTold }, false)
    })
  }
  return {
    say: (farewell: Farewell): void => void attempt(farewell, true),
  }
}
