import { type LiveEvent, type LiveRequest, liveRequest } from '@isotherm/contract/live'
import type { Permission } from '@isotherm/contract/permissions'
import { AppError } from '../../../platform/app-error.ts'
import type { Timer } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { createCover, isSameScope, narrow, type Scope } from '../../../platform/scope/scope.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { StructureChange } from '../../network/index.ts'
import type { SessionAccess } from '../../session/index.ts'
import type { LiveNeeds } from '../subscriptions/needs.ts'
import { createSubscriptions } from '../subscriptions/subscriptions.ts'
import type { PlaceWatcher } from './moved-devices.ts'
import type { Watched } from './session-watch.ts'
import { findParents } from './structure.ts'

/** One client's socket, whatever library carries it. */
export interface LiveSocket {
  send(text: string): void
  /** Closes it after what was sent, with a WebSocket close code. */
  close(code: number): void
  /** Bytes the client has not taken yet. */
  bufferedBytes(): number
}

/** Where something is, and who may look at it: one of the permissions, and a grant of some of it. */
export interface Place {
  readonly path: string
  readonly anyOf: readonly Permission[]
}

export interface LiveConnection extends Watched, PlaceWatcher {
  receive(text: string): void
  accountId(): number | undefined
  /** Takes a device whose newest values changed. */
  note(device: DirectoryEntry): void
  /** Sends an event to a client that watches a device at this path. */
  tell(path: string, event: LiveEvent): void
  /** Sends one to whoever has one of the permissions and is granted the path; without a path whatever is granted. */
  tellWho(anyOf: readonly Permission[], path: string | undefined, event: LiveEvent): void
  /** How much of what is below a path is granted to who has one of the permissions. */
  sightOf(place: Place): 'all' | 'some' | 'none'
  /** Whether what stands at a path is granted. */
  isGranted(path: string): boolean
  /** Sends an event to whoever is signed in as the account; of something at a place only while it is for them. */
  inform(accountId: number, event: LiveEvent, about?: Place): void
  /** Tells of a change to the tree as far as the caller sees it, and looks for what is subscribed anew. */
  noteStructure(change: StructureChange | undefined): void
  /** Ends it if it belongs to the session. */
  endSession(sessionId: number): void
  close(): void
}

export interface ConnectionNeeds extends LiveNeeds {
  /** Other connections of the account. */
  readonly countOthers: (accountId: number) => number
  /** Asks what all sessions may do now, see session-watch.ts. */
  readonly checkSessions: () => Promise<void>
}

const HELLO_LIMIT_MS = 10_000
/** Windows and devices on which one account may watch at once. */
export const MAX_PER_ACCOUNT = 20
/** Requests that may wait for the one before them; a client that sends more at once is cut off. */
const MAX_WAITING = 64
const BEHIND_BYTES = 1024 * 1024
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

/** Speaks the protocol of contract live.ts with one client. */
export function openConnection(socket: LiveSocket, needs: ConnectionNeeds): LiveConnection {
  const { clock, log } = needs
  let caller: Caller | undefined
  /** What the caller is granted, made once for many questions. */
  let sight: { readonly scope: Scope; readonly isInside: (path: string) => boolean } | undefined
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
    if (sight?.scope !== scope) sight = { scope, isInside: createCover(scope.paths) }
    return sight.isInside(path)
  }

  function expire(): void {
    send({ type: 'expired' })
    end(closeCodes.normal)
  }

  /** One thing after the other, in the order they came. What fails here leaves nothing to go on with. */
  function enqueue(task: () => Promise<void>): Promise<void> {
    queue = queue
      .then(() => (closed ? undefined : task()))
      .catch((error: unknown) => {
        log.error({ err: error }, 'a live connection failed')
        end(closeCodes.failed)
      })
    return queue
  }

  /** A session goes on as long as its tokens are exchanged, so its end is asked for again when it is due. */
  function watchSession(endsAt: number): void {
    timer.cancel()
    const check = (): void => {
      needs.checkSessions().then(() => {
        // What could not be asked is as it was: over.
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
    // What was subscribed before was granted to whoever said hello before.
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

  async function answer(request: LiveRequest): Promise<void> {
    if (request.type === 'ping') return send({ type: 'pong' })
    if (request.type === 'hello') return hello(request.token)
    if (!caller) throw new AppError('session.missing')
    if (request.type === 'subscribe') return subscriptions.open(request, caller)
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

  async function take(text: string): Promise<void> {
    const request = parseRequest(text)
    if (!request) return refuse(new AppError('request.malformed'), undefined)
    try {
      await answer(request)
    } catch (error) {
      refuse(error, 'sub' in request ? request.sub : undefined)
    }
  }

  async function takeStructure(change: StructureChange | undefined): Promise<void> {
    if (!caller) return
    const parents = await findParents(needs.lookups, caller.scope, change)
    if (!parents) return
    send({ type: 'structure', parents: [...parents] })
    // What moved has another path now.
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
      enqueue(() => take(text)).finally(() => {
        waiting -= 1
      })
    },
    sessionId: () => caller?.sessionId,
    accountId: () => caller?.accountId,
    updateAccess,
    note: subscriptions.note,
    watchedPaths: subscriptions.paths,
    noteMove: subscriptions.noteMove,
    startOutdatedAnew() {
      if (subscriptions.hasOutdated()) renewSoon()
    },
    tell(path, event) {
      if (subscriptions.covers(path)) send(event)
    },
    tellWho(anyOf, path, event) {
      if (!caller || !mayDoAny(anyOf)) return
      if (path === undefined || isInScope(caller.scope, path)) send(event)
    },
    sightOf({ path, anyOf }) {
      if (!caller || !mayDoAny(anyOf)) return 'none'
      if (isInScope(caller.scope, path)) return 'all'
      return narrow(caller.scope, path).length > 0 ? 'some' : 'none'
    },
    isGranted: (path) => caller !== undefined && isInScope(caller.scope, path),
    inform(accountId, event, about) {
      if (caller?.accountId !== accountId) return
      if (!about || (mayDoAny(about.anyOf) && narrow(caller.scope, about.path).length > 0)) send(event)
    },
    noteStructure(change) {
      enqueue(() => takeStructure(change))
    },
    endSession(sessionId) {
      if (caller?.sessionId === sessionId) expire()
    },
    close: release,
  }
}
