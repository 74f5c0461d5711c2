import { type ExpiredEvent, type ExpiredState, expiredTable } from './expired-states.ts'

/** How a log-in with the stored account ended. */
export type Renewal =
  | { readonly kind: 'renewed' }
  /** The server could not be asked, or wants a pause: the dialog stays, with this text. */
  | { readonly kind: 'unreachable'; readonly text: string }
  /** Nothing stored, or the server said no: the way is by the login page. */
  | { readonly kind: 'refused'; readonly text: string | undefined }

export interface ExpiredView {
  readonly state: ExpiredState
  /** Why the last attempt failed. */
  readonly text: string | undefined
}

export interface ExpiredPorts {
  readonly renew: () => Promise<Renewal>
  readonly show: (view: ExpiredView) => void
  /** Ends the session for good; `text` is what the server said. */
  readonly lose: (text: string | undefined) => void
}

/** The one question an expired session raises, however many calls fail of it. */
export function createExpired(ports: ExpiredPorts) {
  let state: ExpiredState = 'standing'
  let waiting: ((again: boolean) => void)[] = []

  function send(event: ExpiredEvent, text?: string): void {
    const { to, waiting: fate } = expiredTable[state][event]
    state = to
    ports.show({ state, text })
    if (fate === 'wait') return
    const settled = waiting
    waiting = []
    for (const settle of settled) settle(fate === 'resume')
  }

  const is = (candidate: ExpiredState): boolean => state === candidate

  async function confirm(): Promise<void> {
    if (!is('asking')) return
    send('confirmed')
    const renewal = await ports.renew()
    // Another tab may have logged in or out meanwhile.
    if (!is('renewing')) return
    send(renewal.kind, renewal.kind === 'renewed' ? undefined : renewal.text)
    if (renewal.kind === 'refused') ports.lose(renewal.text)
  }

  return {
    /** A call met an expired session: true once there is a new one and the call may be sent again. */
    recover: (): Promise<boolean> =>
      new Promise((settle) => {
        waiting.push(settle)
        send('expired')
      }),
    /** The user chose Re-Login. */
    confirm,
    /** The user chose Cancel. */
    cancel: (): void => send('cancelled'),
    /** The user wants the question again after having declined. */
    askAgain: (): void => send('asked-again'),
    /** Another tab has a new session for the same user. */
    noteRenewed: (): void => send('renewed'),
    /** The session was ended, here or in another tab. */
    noteEnded: (): void => send('ended'),
  }
}
