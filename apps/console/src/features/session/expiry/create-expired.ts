import { type ExpiredEvent, type ExpiredState, expiredTable } from './expired-states.ts'

/** Result of a login with the stored account. */
export type Renewal =
  | { readonly kind: 'renewed' }
  /** The server could not be reached or requires a pause: the dialog stays, with this text. */
  | { readonly kind: 'unreachable'; readonly text: string }
  /** Nothing is stored, or the server refused: the user must use the login page. */
  | { readonly kind: 'refused'; readonly text: string | undefined }

export interface ExpiredView {
  readonly state: ExpiredState
  /** Text of the last failure. */
  readonly text: string | undefined
}

export interface ExpiredPorts {
  readonly renew: () => Promise<Renewal>
  readonly show: (view: ExpiredView) => void
  /** Ends the session; `text` is the reason of the server. */
  readonly lose: (text: string | undefined) => void
}

/** Creates the dialog for an expired session. There is only one, even if many calls fail. */
export function createExpired(ports: ExpiredPorts) {
  let state: ExpiredState = 'valid'
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
    if (!is('prompting')) return
    send('confirmed')
    const renewal = await ports.renew()
    // Another tab may have logged in or out in the meantime.
    if (!is('renewing')) return
    send(renewal.kind, renewal.kind === 'renewed' ? undefined : renewal.text)
    if (renewal.kind === 'refused') ports.lose(renewal.text)
  }

  return {
    /** Called for a call with an expired session. True once there is a new session and the call can be repeated. */
    recover: (): Promise<boolean> =>
      new Promise((settle) => {
        waiting.push(settle)
        send('expired')
      }),
    /** The user chose Re-Login. */
    confirm,
    /** The user chose Cancel. */
    cancel: (): void => send('cancelled'),
    /** The user opens the dialog again after Cancel. */
    reopen: (): void => send('reopened'),
    /** Another tab has a new session for the same user. */
    markRenewed: (): void => send('renewed'),
    /** The session was ended, here or in another tab. */
    markEnded: (): void => send('ended'),
  }
}
