import type { Permission } from '@isotherm/contract/access/permissions'
import { type LiveEvent, type LiveRequest, liveRequest } from '@isotherm/contract/live'
import { AppError } from '../../../platform/app-error.ts'
import type { Timer } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { createCover, isSameScope, narrow, type Scope } from '../../../platform/scope/scope.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { StructureChange } from '../../network/index.ts'
import type { SessionAccess } from '../../session/index.ts'
import type { LiveNeeds } from '../subscriptions/needs.ts'
import { createSubscriptions, type SubscribeRequest } from '../subscriptions/subscriptions.ts'
import type { PlaceWatcher } from './moved-devices.ts'
import type { Watched } from './session-watch.ts'
import { findParents } from './structure.ts'

/** The socket of a client, independent of the library. */
export interface LiveSocket {
  send(text: string): void
  /** Closes the socket after pending data is sent, with a WebSocket close code. */
  close(code: number): void
  /** Bytes that the client has not received yet. */
  bufferedBytes(): number
}

/** A place in the tree, and permissions; a user needs one of them to see the place. */
export interface Place {
  readonly path: string
  readonly anyOf: readonly Permission[]
}

export interface LiveConnection extends Watched, PlaceWatcher {
  receive(text: string): void
  accountId(): number | undefined
  /** Records that the newest values of a device changed. */
  recordChange(device: DirectoryEntry): void
  /** Sends an event to a client that watches a device at this place and may see the event. */
  sendToWatcher(place: Place, event: LiveEvent): void
  /**
   * Sends an event to a client with one of the permissions that is granted the path; without a path, to any client with
   * the permission.
   */
  sendTo(anyOf: readonly Permission[], path: string | undefined, event: LiveEvent): void
  /** How much of the subtree of a place the caller may see. */
  visibilityOf(place: Place): 'all' | 'some' | 'none'
  /** Whether the path is granted to the caller. */
  isGranted(path: string): boolean
  /** Sends an event to a client of the account; with `about`, only if the caller may see that place. */
  sendToAccount(accountId: number, event: LiveEvent, about?: Place): void
  /** Sends a change of the tree as far as the caller sees it, and renews its subscriptions. */
  pushStructure(change: StructureChange | undefined): void
  /** Ends the connection if it belongs to the session. */
  endSession(sessionId: number): void
  close(): void
}

export interface ConnectionNeeds extends LiveNeeds {
  /** Number of other connections of the account. */
  readonly countOthers: (accountId: number) => number
  /** Reads the access of all sessions, see session-watch.ts. */
  readonly checkSessions: () => Promise<void>
}

const HELLO_LIMIT_MS = 10_000
/** Connections per account, over all windows and machines. */
export const MAX_PER_ACCOUNT = 20
/** Requests that may wait for the one before. A client that sends more is disconnected. */
const MAX_WAITING = 64
/** Longest request of a client that has not signed in. */
const MAX_HELLO_CHARACTERS = 4 * 1024
/** Unsent bytes from which on no readings are sent, so that the client catches up. */
const BEHIND_BYTES = 1024 * 1024
/** Unsent bytes from which on the client is disconnected. */
const GIVE_UP_BYTES = 16 * 1024 * 1024

/** Close codes of RFC 6455. */
const closeCodes = { normal: 1000, policy: 1008, tooBig: 1009, failed: 1011 } as const

function parseRequest(text: string): LiveRequest | undefined {
  try {
    return liveRequest.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const isSameSet = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): boolean =>
  left.size === right.size && [...left].every((item) => right.has(item))

/** Implements the protocol of contract live.ts for one client. */
export function openConnection(socket: LiveSocket, needs: ConnectionNeeds): LiveConnection {
  const { clock, log } = needs
  let caller: Caller | undefined
  /** Test of the granted paths, cached for many calls. */
  let granted: { readonly scope: Scope; readonly isInside: (path: string) => boolean } | undefined
  let waiting = 0
  let queue: Promise<void> = Promise.resolve()
  let closed = false
  let renewalWaits = false
  let timer: Timer = clock.setTimeout(() => end(closeCodes.policy), HELLO_LIMIT_MS)
  const subscriptions = createSubscriptions({
    ...needs,
    send,
    isBehind: () => socket.bufferedBytes() > BEHIND_BYTES,
    isClosed: () => closed,
  })

  function send(event: LiveEvent): void {
    if (closed) return
    if (socket.bufferedBytes() > GIVE_UP_BYTES) end(closeCodes.tooBig)
    else socket.send(JSON.stringify(event))
  }

  function release(): void {
    closed = true
    timer.cancel()
    subscriptions.clear()
  }

  function end(code: number): void {
    if (closed) return
    release()
    socket.close(code)
  }

  function isInScope(scope: Scope, path: string): boolean {
    if (scope.kind === 'all') return true
    if (granted?.scope !== scope) granted = { scope, isInside: createCover(scope.paths) }
    return granted.isInside(path)
  }

  function expire(): void {
    send({ type: 'expired' })
    end(closeCodes.normal)
  }

  /** Runs tasks one after the other, in order of arrival. The connection cannot continue after a failure. */
  function enqueue(task: () => Promise<void>): Promise<void> {
    queue = queue
      .then(() => (closed ? undefined : task()))
      .catch((error: unknown) => {
        log.error({ err: error }, 'a live connection failed')
        end(closeCodes.failed)
      })
    return queue
  }

  /** A session is extended when its tokens are exchanged, so its end is checked again when it is due. */
  function watchSession(endsAt: number): void {
    timer.cancel()
    const check = (): void => {
      needs.checkSessions().then(() => {
        // If the check failed, the known end applies: the session is over.
        if (caller && caller.expiresAt <= clock.now()) end(closeCodes.normal)
      })
    }
    timer = clock.setTimeout(check, Math.max(0, endsAt - clock.now()))
  }

  function updateAccess(sessionId: number, access: SessionAccess | undefined): void {
    if (closed || caller?.sessionId !== sessionId) return
    if (!access || access.endsAt <= clock.now()) {
      expire()
      return
    }
    const { permissions, scope, endsAt } = access
    const isSame = isSameScope(scope, caller.scope) && isSameSet(permissions, caller.permissions)
    caller = { ...caller, permissions, scope, expiresAt: endsAt }
    watchSession(endsAt)
    if (!isSame) renewSoon()
  }

  async function renew(): Promise<void> {
    renewalWaits = false
    if (caller) await subscriptions.renew(caller, (name, error) => refuse(error, name))
  }

  function renewSoon(): void {
    if (renewalWaits) return
    renewalWaits = true
    enqueue(renew)
  }

  async function hello(token: string): Promise<void> {
    const known = await needs.session.authenticate('ht-api', token)
    if (closed) return
    if (needs.countOthers(known.accountId) >= MAX_PER_ACCOUNT) {
      refuse(new AppError('live.too-many', { limit: MAX_PER_ACCOUNT }), undefined)
      end(closeCodes.policy)
      return
    }
    // Former subscriptions used the access of the former session.
    subscriptions.clear()
    caller = known
    watchSession(known.expiresAt)
    const timeFactor = needs.timeFactor()
    send({
      type: 'welcome',
      epoch: needs.epoch,
      now: clock.now(),
      mode: needs.mode,
      ...(timeFactor === undefined ? {} : { timeFactor }),
    })
  }

  async function subscribe(request: SubscribeRequest, accountId: number): Promise<void> {
    await needs.waitForPace(accountId)
    if (!closed && caller) await subscriptions.open(request, caller)
  }

  async function answer(request: LiveRequest): Promise<void> {
    if (request.type === 'ping') return send({ type: 'pong' })
    if (request.type === 'hello') return hello(request.token)
    if (!caller) throw new AppError('session.missing')
    if (request.type === 'subscribe') return subscribe(request, caller.accountId)
    subscriptions.drop(request.sub)
  }

  function refuse(error: unknown, sub: string | undefined): void {
    const failure = error instanceof AppError ? error : new AppError('server.internal', {}, { cause: error })
    if (failure.code === 'session.expired') {
      expire()
      return
    }
    if (failure.code === 'server.internal') log.error({ err: error }, 'a live request failed')
    send({ type: 'refused', code: failure.code, ...(sub === undefined ? {} : { sub }) })
  }

  async function process(text: string): Promise<void> {
    const request = caller || text.length <= MAX_HELLO_CHARACTERS ? parseRequest(text) : undefined
    if (!request) {
      refuse(new AppError('request.malformed'), undefined)
      // A client that has not signed in has one try, so that it cannot make the server parse much.
      if (!caller) end(closeCodes.policy)
      return
    }
    try {
      await answer(request)
    } catch (error) {
      refuse(error, 'sub' in request ? request.sub : undefined)
    }
  }

  async function sendStructure(change: StructureChange | undefined): Promise<void> {
    if (!caller) return
    const parents = await findParents(needs.lookups, caller.scope, change)
    if (!parents) return
    send({ type: 'structure', parents: [...parents] })
    // Moved nodes have other paths now.
    renewSoon()
  }

  const mayDoAny = (anyOf: readonly Permission[]): boolean =>
    anyOf.some((permission) => caller?.permissions.has(permission))

  return {
    receive(text) {
      waiting += 1
      if (waiting > MAX_WAITING) {
        end(closeCodes.policy)
        return
      }
      enqueue(() => process(text)).finally(() => {
        waiting -= 1
      })
    },
    sessionId: () => caller?.sessionId,
    accountId: () => caller?.accountId,
    updateAccess,
    recordChange: subscriptions.recordChange,
    watchedPaths: subscriptions.paths,
    applyMove: subscriptions.applyMove,
    restartOutdated() {
      if (subscriptions.hasOutdated()) renewSoon()
    },
    sendToWatcher({ path, anyOf }, event) {
      if (mayDoAny(anyOf) && subscriptions.covers(path)) send(event)
    },
    sendTo(anyOf, path, event) {
      if (!caller || !mayDoAny(anyOf)) return
      if (path === undefined || isInScope(caller.scope, path)) send(event)
    },
    visibilityOf({ path, anyOf }) {
      if (!caller || !mayDoAny(anyOf)) return 'none'
      if (isInScope(caller.scope, path)) return 'all'
      return narrow(caller.scope, path).length > 0 ? 'some' : 'none'
    },
    isGranted: (path) => caller !== undefined && isInScope(caller.scope, path),
    sendToAccount(accountId, event, about) {
      if (caller?.accountId !== accountId) return
      if (!about || (mayDoAny(about.anyOf) && narrow(caller.scope, about.path).length > 0)) send(event)
    },
    pushStructure(change) {
      enqueue(() => sendStructure(change))
    },
    endSession(sessionId) {
      if (caller?.sessionId === sessionId) expire()
    },
    close: release,
  }
}
