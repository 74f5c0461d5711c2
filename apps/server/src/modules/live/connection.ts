import { getDataLastFromNodeList } from '@isotherm/contract/endpoints/telemetry'
import { type LiveEvent, type LiveRequest, liveRequest } from '@isotherm/contract/live'
import { AppError } from '../../platform/app-error.ts'
import type { Timer } from '../../platform/clock.ts'
import { requireAccess } from '../../platform/http/access.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { DirectoryEntry } from '../devices/index.ts'
import type { LiveNeeds } from './needs.ts'
import { openSubscription, type Subscription } from './subscription.ts'

/** One client's socket, whatever library carries it. */
export interface LiveSocket {
  send(text: string): void
  /** Closes it after what was sent, with a WebSocket close code. */
  close(code: number): void
  /** Bytes the client has not taken yet. */
  bufferedBytes(): number
}

export interface LiveConnection {
  receive(text: string): void
  note(device: DirectoryEntry): void
  /** Sends an event to a client that watches a device at this path. */
  tell(path: string, event: LiveEvent): void
  /** Ends it if it belongs to the session. */
  endSession(sessionId: number): void
  close(): void
}

const HELLO_LIMIT_MS = 10_000
const MAX_SUBSCRIPTIONS = 16
/** Requests that may wait for the one before them; a client that sends more at once is cut off. */
const MAX_WAITING = 64
const BEHIND_BYTES = 1024 * 1024
const GIVE_UP_BYTES = 16 * 1024 * 1024

/** Close codes of RFC 6455. */
const closeCodes = { normal: 1000, policy: 1008, tooBig: 1009 } as const

function parseRequest(text: string): LiveRequest | undefined {
  try {
    return liveRequest.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Speaks the protocol of contract live.ts with one client. */
export function openConnection(socket: LiveSocket, needs: LiveNeeds): LiveConnection {
  const { clock } = needs
  const subscriptions = new Map<string, Subscription>()
  let caller: Caller | undefined
  let waiting = 0
  let queue: Promise<void> = Promise.resolve()
  let closed = false
  let timer: Timer = clock.setTimeout(() => end(closeCodes.policy), HELLO_LIMIT_MS)

  function send(event: LiveEvent): void {
    if (closed) return
    if (socket.bufferedBytes() > GIVE_UP_BYTES) end(closeCodes.tooBig)
    else socket.send(JSON.stringify(event))
  }

  function release(): void {
    closed = true
    timer.cancel()
    for (const subscription of subscriptions.values()) subscription.close()
    subscriptions.clear()
  }

  function end(code: number): void {
    if (closed) return
    release()
    socket.close(code)
  }

  function expire(): void {
    send({ type: 'expired' })
    end(closeCodes.normal)
  }

  /** A session goes on as long as its tokens are exchanged, so its end is asked for again when it is due. */
  function watchSession(sessionId: number, endsAt: number): void {
    timer.cancel()
    timer = clock.setTimeout(
      () => {
        needs.session.findSessionEnd(sessionId).then(
          (later) =>
            later === undefined || later <= clock.now() ? expire() : watchSession(sessionId, later),
          (error: unknown) => {
            needs.log.warn({ err: error }, 'cannot ask for the end of a session')
            end(closeCodes.normal)
          },
        )
      },
      Math.max(0, endsAt - clock.now()),
    )
  }

  async function hello(token: string): Promise<void> {
    const known = await needs.session.authenticate('ht-api', token)
    if (closed) return
    // What was subscribed before was granted to whoever said hello before.
    for (const subscription of subscriptions.values()) subscription.close()
    subscriptions.clear()
    caller = known
    watchSession(known.sessionId, known.expiresAt)
    const timeFactor = needs.timeFactor()
    send({
      type: 'welcome',
      epoch: needs.epoch,
      now: clock.now(),
      mode: needs.mode,
      ...(timeFactor === undefined ? {} : { timeFactor }),
    })
  }

  async function subscribe(request: LiveRequest & { type: 'subscribe' }, { scope }: Caller): Promise<void> {
    const { sub: name, nodes, kinds, since } = request
    if (!subscriptions.has(name) && subscriptions.size >= MAX_SUBSCRIPTIONS)
      throw new AppError('request.too-many')
    const paths = await needs.network.resolveNodes(scope, nodes)
    if (closed) return
    subscriptions.get(name)?.close()
    const subscription = openSubscription({
      ...{ name, paths, kinds, since, clock, send },
      epoch: needs.epoch,
      states: needs.states,
      devices: needs.directory.entries(),
      isBehind: () => socket.bufferedBytes() > BEHIND_BYTES,
    })
    subscriptions.set(name, subscription)
  }

  async function answer(request: LiveRequest): Promise<void> {
    if (request.type === 'ping') return send({ type: 'pong' })
    if (request.type === 'hello') return hello(request.token)
    if (!caller) throw new AppError('session.missing')
    if (request.type === 'subscribe') {
      requireAccess(getDataLastFromNodeList.access, caller)
      return subscribe(request, caller)
    }
    subscriptions.get(request.sub)?.close()
    subscriptions.delete(request.sub)
  }

  function refuse(error: unknown, sub: string | undefined): void {
    const failure = error instanceof AppError ? error : new AppError('server.internal', {}, { cause: error })
    if (failure.code === 'session.expired') {
      expire()
      return
    }
    if (failure.code === 'server.internal') needs.log.error({ err: error }, 'a live request failed')
    send({ type: 'refused', code: failure.code, ...(sub === undefined ? {} : { sub }) })
  }

  async function take(text: string): Promise<void> {
    if (closed) return
    const request = parseRequest(text)
    if (!request) return refuse(new AppError('request.malformed'), undefined)
    try {
      await answer(request)
    } catch (error) {
      refuse(error, 'sub' in request ? request.sub : undefined)
    }
  }

  return {
    receive(text) {
      waiting += 1
      if (waiting > MAX_WAITING) {
        end(closeCodes.policy)
        return
      }
      queue = queue
        .then(() => take(text))
        .finally(() => {
          waiting -= 1
        })
    },
    note(device) {
      for (const subscription of subscriptions.values()) subscription.note(device)
    },
    tell(path, event) {
      const isWatched = [...subscriptions.values()].some((subscription) => subscription.covers(path))
      if (isWatched) send(event)
    },
    endSession(sessionId) {
      if (caller?.sessionId === sessionId) expire()
    },
    close: release,
  }
}
