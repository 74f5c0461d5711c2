import { type GuardDeed, type GuardEvent, type GuardState, guardTable } from './guard-states.ts'
import {
  type Credentials,
  findCredentials,
  findLoginSource,
  type Target,
  toAddress,
  toGuardEvent,
  toLoginPath,
} from './guard-target.ts'

/** What is to become of a navigation. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'go'; readonly to: string }
  /** The permitted modules could not be asked for; nothing has been cleared. */
  | { readonly kind: 'retry'; readonly cause: unknown }

/** What the guard needs of the console. */
export interface GuardPorts<Access> {
  /** Who the session belongs to: something that differs between users; undefined unless both tokens are good. */
  readonly findSession: () => string | undefined
  /** Whether somebody else than the user of the session had this tab before. */
  readonly hadAnotherUser: () => boolean
  /** Whether the console stands in a frame of another page. */
  readonly isFramed: () => boolean
  /** The one spelling of a path; that of a page of the console however its letters and slashes are written. */
  readonly toCanonical: (pathname: string) => string
  /** Whether the permitted modules are held; false once somebody else forgot them. */
  readonly holdsAccess: () => boolean
  readonly loadAccess: () => Promise<Access>
  readonly keepAccess: (access: Access) => void
  readonly forgetAccess: () => void
  /** Whether the server itself said no; otherwise it could not be asked. */
  readonly isRefusal: (error: unknown) => boolean
  /** Clears both tokens and says 用户权限有问题. */
  readonly endSession: (cause: unknown) => void
  readonly storeCredentials: (credentials: Credentials) => void
  readonly keepLoginSource: (id: string) => void
  /** Takes what must not be seen out of the address bar, before anything is waited for. */
  readonly replaceAddress: (address: string) => void
}

/** Times a navigation is judged anew because the session changed while its modules were loading. */
const MOST_JUDGEMENTS = 3

const go = (target: Target): Verdict => ({ kind: 'go', to: toAddress(target) })

/** Judges every navigation (docs/specs/guard.md). */
export function createGuard<Access>(ports: GuardPorts<Access>) {
  let state: GuardState = 'signed-out'
  let session: string | undefined
  let loading: Promise<GuardEvent> | undefined
  let answer: Access | undefined
  let failure: unknown

  function send(event: GuardEvent): GuardDeed {
    const { to, deed } = guardTable[state][event]
    state = to
    if (deed === 'forget-access') {
      loading = undefined
      answer = undefined
      ports.forgetAccess()
    }
    return deed
  }

  /** Turns what has become of the tokens since the last look into events. */
  function observe(): void {
    const found = ports.findSession()
    const lost = state === 'ready' && !ports.holdsAccess()
    if (state !== 'signed-out' && (found !== session || lost)) send('signed-out')
    if (state === 'signed-out' && found !== undefined) send('signed-in')
    session = found
  }

  async function ask(): Promise<GuardEvent> {
    try {
      answer = await ports.loadAccess()
      return 'access-loaded'
    } catch (error) {
      failure = error
      return ports.isRefusal(error) ? 'access-refused' : 'access-unreachable'
    }
  }

  async function load(target: Target, judgements: number): Promise<Verdict> {
    loading ??= ask()
    const own = loading
    const event = await own
    const overtaken = loading !== own
    observe()
    // Another navigation has taken the answer already, or it was for a session that is no more.
    if (overtaken || state !== 'loading-access') return judge(target, judgements + 1)
    loading = undefined
    if (event === 'access-loaded' && answer !== undefined) ports.keepAccess(answer)
    answer = undefined
    return perform(send(event), target, judgements)
  }

  async function perform(deed: GuardDeed, target: Target, judgements: number): Promise<Verdict> {
    switch (deed) {
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

  /** A page in a tab that somebody else had is not what the user asked for, but where that one left it. */
  function toEvent({ pathname }: Target): GuardEvent {
    const event = toGuardEvent(pathname)
    return event === 'to-page' && pathname !== '/' && ports.hadAnotherUser() ? 'to-left-page' : event
  }

  async function judge(target: Target, judgements: number): Promise<Verdict> {
    if (judgements > MOST_JUDGEMENTS) return { kind: 'retry', cause: failure }
    observe()
    return perform(send(toEvent(target)), target, judgements)
  }

  return {
    state: (): GuardState => state,
    /** What is to become of a navigation. */
    async admit(target: Target): Promise<Verdict> {
      const source = findLoginSource(target.search)
      if (source !== undefined) ports.keepLoginSource(source)
      const plain = { ...target, pathname: ports.toCanonical(target.pathname) }
      const found = findCredentials(plain)
      if (!found) return plain.pathname === target.pathname ? judge(target, 0) : go(plain)
      const { credentials, clean } = found
      ports.replaceAddress(toAddress(clean))
      const stands = ports.findSession() !== undefined
      // Only a portal that embeds the login says who sits there in place of a session that stands: in a window
      // of its own the same address is a link like any other.
      const isPortals = toGuardEvent(clean.pathname) === 'to-frame' && ports.isFramed()
      if (credentials && (!stands || isPortals)) ports.storeCredentials(credentials)
      return go(clean)
    },
  }
}
