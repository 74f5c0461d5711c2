import type { Command } from '@isotherm/contract/command'
import { type LiveCursor, type LiveEvent, type LiveRequest, MAX_LIVE_NODES } from '@isotherm/contract/live'
import type { NodeKey } from '@isotherm/contract/tree'
import { computeBackoffMs } from './backoff.ts'
import { createFrameBuffer, type Schedule } from './frame-buffer.ts'
import { createListeners } from './listeners.ts'
import { isNotification, type LiveNotification } from './live-notifications.ts'
import { idle, type LiveStatus } from './live-status.ts'
import { parseEvent } from './parse-event.ts'
import {
  applyStates,
  type LiveQuery,
  type LiveStates,
  noLiveStates,
  type StatesEvent,
  toCursor,
  toLiveKey,
} from './subscription.ts'

/** The part of WebSocket the client uses. */
export interface LiveSocket {
  send(text: string): void
  close(): void
}

/** Events of the socket. */
export interface SocketListener {
  readonly opened: () => void
  readonly received: (data: unknown) => void
  readonly closed: () => void
}

export interface LivePorts {
  readonly connect: (listener: SocketListener) => LiveSocket
  readonly findToken: () => string | undefined
  readonly now: () => number
  readonly random: () => number
  /** Runs a function after a delay; returns its cancellation. */
  readonly after: (ms: number, run: () => void) => () => void
  readonly scheduleFrame: Schedule
  /** Tries to renew the session after `usedToken` expired. */
  readonly recoverSession: (usedToken: string | undefined) => Promise<boolean>
  readonly reportGarbage: (detail: unknown) => void
}

interface Subscription {
  readonly name: string
  readonly query: LiveQuery
  users: number
  cursor: LiveCursor | undefined
  held: LiveStates
  readonly listeners: Set<() => void>
}

/** Maximum of idle subscriptions cached for pages that may return. They resume from their cursors. */
const MAX_IDLE = 8

/** Local code for a selection with more nodes than a subscription may name. */
export const TOO_MANY_NODES = 'live.too-many-nodes'

/** Time without a message before a ping, and time for its answer before the connection is closed, ms. */
const SILENCE_MS = 15_000

/**
 * Creates the console's only connection to the live stream. It authenticates with the token of the session, manages the
 * subscriptions of the pages, reconnects with growing delays and resumes from its cursors.
 */
export function createLiveClient(ports: LivePorts) {
  const subscriptions = new Map<string, Subscription>()
  const commandListeners = createListeners<Command>()
  const structureListeners = createListeners<readonly NodeKey[]>()
  const notificationListeners = createListeners<LiveNotification>()
  const statusListeners = createListeners()
  let status = idle
  let socket: LiveSocket | undefined
  let usedToken: string | undefined
  let attempt = 0
  let cancelTimer: () => void = () => {}
  let nextName = 1
  let lastConnection = 0

  const buffer = createFrameBuffer<LiveEvent>(ports.scheduleFrame, (events) => {
    for (const subscription of subscriptions.values()) {
      const own = events.filter(
        (event): event is StatesEvent => event.type === 'states' && event.sub === subscription.name,
      )
      if (own.length === 0) continue
      subscription.cursor = toCursor(subscription.cursor, own)
      subscription.held = applyStates(subscription.held, own)
      for (const listener of subscription.listeners) listener()
    }
    for (const event of events) {
      if (event.type === 'command') commandListeners.notify(event.command)
      if (event.type === 'structure') structureListeners.notify(event.parents)
      if (isNotification(event)) notificationListeners.notify(event)
    }
  })

  function setStatus(change: Partial<LiveStatus>): void {
    status = { ...status, ...change }
    statusListeners.notify()
  }

  const send = (request: LiveRequest): void => socket?.send(JSON.stringify(request))

  function subscribeOnWire({ name, query, cursor, users }: Subscription): void {
    if (status.phase !== 'connected' || users === 0) return
    // The server accepts no more nodes and would reject the message.
    if (query.nodes.length > MAX_LIVE_NODES) {
      refuse(name, TOO_MANY_NODES)
      return
    }
    const { nodes, kinds, deviceIds } = query
    send({
      type: 'subscribe',
      sub: name,
      nodes: [...nodes],
      kinds: [...kinds],
      ...(deviceIds && { deviceIds: [...deviceIds] }),
      ...(cursor && { since: cursor }),
    })
  }

  /** Caches a subscription without users as the newest idle one; drops the oldest. */
  function setAside(key: string, subscription: Subscription): void {
    if (subscriptions.get(key) !== subscription) return
    subscriptions.delete(key)
    subscriptions.set(key, subscription)
    const idleKeys = [...subscriptions].filter(([, each]) => each.users === 0).map(([each]) => each)
    for (const old of idleKeys.slice(0, -MAX_IDLE)) subscriptions.delete(old)
  }

  function watchSilence(): void {
    cancelTimer()
    cancelTimer = ports.after(SILENCE_MS, () => {
      send({ type: 'ping' })
      cancelTimer = ports.after(SILENCE_MS, lose)
    })
  }

  function drop(): void {
    cancelTimer()
    cancelTimer = () => {}
    const dropped = socket
    socket = undefined
    dropped?.close()
  }

  function lose(): void {
    drop()
    setStatus({ phase: 'waiting', since: status.since ?? ports.now() })
    cancelTimer = ports.after(computeBackoffMs(attempt, ports.random), open)
    attempt += 1
  }

  function open(): void {
    const token = ports.findToken()
    if (token === undefined) {
      lose()
      return
    }
    usedToken = token
    if (status.phase !== 'waiting') setStatus({ phase: 'connecting' })
    const connection = ++lastConnection
    const ifCurrent = (run: () => void) => {
      if (connection === lastConnection && socket) run()
    }
    socket = ports.connect({
      opened: () => ifCurrent(() => send({ type: 'hello', token })),
      received: (data) => ifCurrent(() => receive(data)),
      closed: () => ifCurrent(lose),
    })
    cancelTimer = ports.after(SILENCE_MS, lose)
  }

  /** Stores a refusal: of one subscription, or without a name of the whole connection, for all that still wait for data. */
  function refuse(name: string | undefined, code: string): void {
    if (name === undefined && status.phase !== 'connected') setStatus({ refused: code })
    for (const subscription of subscriptions.values()) {
      if (name === undefined ? subscription.held.ready : subscription.name !== name) continue
      subscription.held = { ...subscription.held, refused: code }
      for (const listener of subscription.listeners) listener()
    }
  }

  async function expire(): Promise<void> {
    drop()
    setStatus({ phase: 'waiting', since: status.since ?? ports.now() })
    if (await ports.recoverSession(usedToken)) restart()
  }

  function receive(data: unknown): void {
    watchSilence()
    const parsed = parseEvent(data)
    if (!parsed) {
      ports.reportGarbage(data)
      return
    }
    if (isNotification(parsed)) {
      buffer.push(parsed)
      return
    }
    switch (parsed.type) {
      case 'welcome': {
        attempt = 0
        const { now, mode, timeFactor } = parsed
        const again = status.everConnected
        setStatus({
          phase: 'connected',
          since: undefined,
          everConnected: true,
          clockOffsetMs: now - ports.now(),
          refused: undefined,
          mode,
          timeFactor,
        })
        for (const subscription of subscriptions.values()) subscribeOnWire(subscription)
        // The server does not send missed changes of tree and alarms, so any of them may have changed.
        if (again) buffer.push({ type: 'structure', parents: [] })
        if (again) buffer.push({ type: 'alarm' })
        return
      }
      case 'states':
      case 'command':
      case 'structure':
        buffer.push(parsed)
        return
      case 'refused':
        refuse(parsed.sub, parsed.code)
        return
      case 'expired':
        expire().catch(ports.reportGarbage)
        return
      case 'pong':
        return
    }
  }

  function restart(): void {
    drop()
    attempt = 0
    open()
  }

  return {
    /** Opens the connection and maintains it until `stop`. */
    start(): void {
      if (status.phase === 'idle') open()
    },
    /** Reconnects at once with the current token. */
    restart,
    /** Closes the connection and clears all data, because the next user must not see them. */
    stop(): void {
      drop()
      buffer.clear()
      for (const [key, subscription] of subscriptions) {
        if (subscription.users === 0) subscriptions.delete(key)
        subscription.cursor = undefined
        subscription.held = noLiveStates
        for (const listener of subscription.listeners) listener()
      }
      attempt = 0
      status = idle
      setStatus({})
    },
    status: (): LiveStatus => status,
    onStatus: statusListeners.add,
    onCommand: commandListeners.add,
    /**
     * Calls back with the nodes below which the tree changed, once per frame and message. An empty list means that all
     * may have changed, for example after a lost connection.
     */
    onStructure: structureListeners.add,
    /**
     * Calls back for every notification (live-notifications.ts). An alarm notification without an alarm means that any
     * alarm may have changed, for example after a lost connection.
     */
    onNotification: notificationListeners.add,
    /** Current data of a query. */
    held: (query: LiveQuery): LiveStates => subscriptions.get(toLiveKey(query))?.held ?? noLiveStates,
    /** Subscribes; `listener` runs once per frame with a change. Returns the unsubscription. */
    subscribe(query: LiveQuery, listener: () => void): () => void {
      const key = toLiveKey(query)
      let subscription = subscriptions.get(key)
      if (!subscription) {
        const name = `s${nextName++}`
        subscription = { name, query, users: 0, cursor: undefined, held: noLiveStates, listeners: new Set() }
        subscriptions.set(key, subscription)
      }
      const joined = subscription
      joined.users += 1
      if (joined.users === 1) subscribeOnWire(joined)
      joined.listeners.add(listener)
      return () => {
        joined.listeners.delete(listener)
        joined.users -= 1
        if (joined.users > 0) return
        if (status.phase === 'connected') send({ type: 'unsubscribe', sub: joined.name })
        setAside(key, joined)
      }
    },
  }
}
