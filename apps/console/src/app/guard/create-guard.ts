import { type GuardAction, type GuardEvent, type GuardState, guardTable } from './guard-states.ts'
import {
  type Credentials,
  findCredentials,
  findLoginSource,
  type Target,
  toAddress,
  toGuardEvent,
  toLoginPath,
} from './guard-target.ts'

/** Verdict of the guard on a navigation. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'go'; readonly to: string }
  /** The permitted modules could not be loaded. The session is unchanged. */
  | { readonly kind: 'retry'; readonly cause: unknown }

/** Dependencies of the guard. */
export interface GuardPorts<Access> {
  /** Id of the session's user; undefined unless both tokens are valid. */
  readonly findSession: () => string | undefined
  /** Whether the previous user of this tab is another one. */
  readonly hadAnotherUser: () => boolean
  /** Whether the console runs inside a frame of another page. */
  readonly isFramed: () => boolean
  /** Returns the canonical spelling of a path. */
  readonly toCanonical: (pathname: string) => string
  /** Whether the permitted modules are cached. */
  readonly holdsAccess: () => boolean
  readonly loadAccess: () => Promise<Access>
  readonly storeAccess: (access: Access) => void
  readonly clearAccess: () => void
  /** True if the server refused; false if it could not be reached. */
  readonly isRefusal: (error: unknown) => boolean
  /** Clears both tokens and shows 用户权限有问题. */
  readonly endSession: (cause: unknown) => void
  readonly storeCredentials: (credentials: Credentials) => void
  readonly storeLoginSource: (id: string) => void
  /** Replaces the address at once, to remove a password from the address bar. */
  readonly replaceAddress: (address: string) => void
}

/** Maximum number of verdicts on one navigation: the guard judges again if the session changes while modules load. */
const MAX_JUDGEMENTS = 3

const go = (target: Target): Verdict => ({ kind: 'go', to: toAddress(target) })

/** Creates the guard that decides on every navigation (docs/specs/guard.md). */
export function createGuard<Access>(ports: GuardPorts<Access>) {
  let state: GuardState = 'signed-out'
  let session: string | undefined
  let loading: Promise<GuardEvent> | undefined
  let answer: Access | undefined
  let failure: unknown

  function send(event: GuardEvent): GuardAction {
    const { to, action } = guardTable[state][event]
    state = to
    if (action === 'forget-access') {
      loading = undefined
      answer = undefined
      ports.clearAccess()
    }
    return action
  }

  /** Sends the events for changes of the tokens since the last check. */
  function observe(): void {
    const found = ports.findSession()
    const lost = state === 'ready' && !ports.holdsAccess()
    if (state !== 'signed-out' && (found !== session || lost)) send('signed-out')
    if (state === 'signed-out' && found !== undefined) send('signed-in')
    session = found
  }

  async function loadModules(): Promise<GuardEvent> {
    try {
      answer = await ports.loadAccess()
      return 'access-loaded'
    } catch (error) {
      failure = error
      return ports.isRefusal(error) ? 'access-refused' : 'access-unreachable'
    }
  }

  async function load(target: Target, judgements: number): Promise<Verdict> {
    loading ??= loadModules()
    const own = loading
    const event = await own
    const isOutdated = loading !== own
    observe()
    // Another navigation has already used the answer, or its session has ended.
    if (isOutdated || state !== 'loading-access') return judge(target, judgements + 1)
    loading = undefined
    if (event === 'access-loaded' && answer !== undefined) ports.storeAccess(answer)
    answer = undefined
    return perform(send(event), target, judgements)
  }

  async function perform(action: GuardAction, target: Target, judgements: number): Promise<Verdict> {
    switch (action) {
      case 'pass':
        return { kind: 'pass' }
      case 'go-start':
        return { kind: 'go', to: '/' }
      case 'go-login':
        return { kind: 'go', to: toLoginPath(toAddress(target)) }
      case 'load-access':
        return load(target, judgements)
      case 'end-session':
        ports.endSession(failure)
        return { kind: 'go', to: toLoginPath(toAddress(target)) }
      case 'offer-retry':
      case 'forget-access':
      case 'none':
        return { kind: 'retry', cause: failure }
    }
  }

  /** If another user had this tab before, the address is a page of that user and is not opened. */
  function toEvent({ pathname }: Target): GuardEvent {
    const event = toGuardEvent(pathname)
    return event === 'to-page' && pathname !== '/' && ports.hadAnotherUser() ? 'to-left-page' : event
  }

  async function judge(target: Target, judgements: number): Promise<Verdict> {
    if (judgements > MAX_JUDGEMENTS) return { kind: 'retry', cause: failure }
    observe()
    return perform(send(toEvent(target)), target, judgements)
  }

  return {
    state: (): GuardState => state,
    /** Verdict of the guard on a navigation. */
    async admit(target: Target): Promise<Verdict> {
      const source = findLoginSource(target.search)
      if (source !== undefined) ports.storeLoginSource(source)
      const plain = { ...target, pathname: ports.toCanonical(target.pathname) }
      const found = findCredentials(plain)
      if (!found) return plain.pathname === target.pathname ? judge(target, 0) : go(plain)
      const { credentials, clean } = found
      ports.replaceAddress(toAddress(clean))
      const stands = ports.findSession() !== undefined
      // Only a portal that embeds the login in a frame may replace an existing session. Outside a frame the same address
      // is an ordinary link.
      const isPortals = toGuardEvent(clean.pathname) === 'to-frame' && ports.isFramed()
      if (credentials && (!stands || isPortals)) ports.storeCredentials(credentials)
      return go(clean)
    },
  }
}
