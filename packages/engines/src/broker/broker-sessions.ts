import type { Client } from 'aedes'
import { EngineError } from '../engine.ts'

interface Filter {
  readonly topic: string
}

interface Session {
  readonly clientId: string
}

/** The used part of aedes' session store. */
interface Persistence {
  addSubscriptions(client: Client, filters: readonly Filter[]): Promise<void>
  outgoingEnqueue(session: Session, packet: unknown): Promise<void>
  outgoingEnqueueCombi(sessions: readonly Session[], packet: unknown): Promise<void>
  /** Removes an acknowledged message from the queue; resolves with it if it was there. */
  outgoingClearMessageId(client: Client, packet: unknown): Promise<unknown>
}

export interface SessionRules {
  maySubscribe(client: Client, filter: string): boolean
  /** Maximum number of unacknowledged messages that are stored for one client. */
  readonly maxQueued: number
  onQueueFull(clientId: string): void
}

const guarded = ['addSubscriptions', 'outgoingEnqueue', 'outgoingEnqueueCombi', 'outgoingClearMessageId']

function isPersistence(value: unknown): value is Persistence {
  return (
    typeof value === 'object' &&
    value !== null &&
    guarded.every((name) => typeof Reflect.get(value, name) === 'function')
  )
}

/**
 * Applies the broker's rules to persistent sessions of aedes. aedes stores all filters of a SUBSCRIBE if one of them is
 * allowed, so a returning client would also receive messages of denied filters; and it stores any number of messages for an
 * absent client. Throws EngineError if aedes has no such store.
 */
export function guardSessions(aedes: object, rules: SessionRules): void {
  const persistence: unknown = Reflect.get(aedes, 'persistence')
  if (!isPersistence(persistence)) throw new EngineError('the broker has no store of sessions to guard')
  const addSubscriptions = persistence.addSubscriptions.bind(persistence)
  const enqueue = persistence.outgoingEnqueue.bind(persistence)
  const enqueueAll = persistence.outgoingEnqueueCombi.bind(persistence)
  const clear = persistence.outgoingClearMessageId.bind(persistence)
  const queued = new Map<string, number>()

  function hasRoom({ clientId }: Session): boolean {
    const count = queued.get(clientId) ?? 0
    if (count >= rules.maxQueued) {
      rules.onQueueFull(clientId)
      return false
    }
    queued.set(clientId, count + 1)
    return true
  }

  persistence.addSubscriptions = async (client, filters) => {
    const allowed = filters.filter(({ topic }) => rules.maySubscribe(client, topic))
    if (allowed.length > 0) await addSubscriptions(client, allowed)
  }
  persistence.outgoingEnqueue = async (session, packet) => {
    if (hasRoom(session)) await enqueue(session, packet)
  }
  persistence.outgoingEnqueueCombi = (sessions, packet) => enqueueAll(sessions.filter(hasRoom), packet)
  persistence.outgoingClearMessageId = async (client, packet) => {
    const cleared = await clear(client, packet)
    const count = queued.get(client.id) ?? 0
    if (cleared !== undefined && count > 1) queued.set(client.id, count - 1)
    else if (cleared !== undefined) queued.delete(client.id)
    return cleared
  }
}
