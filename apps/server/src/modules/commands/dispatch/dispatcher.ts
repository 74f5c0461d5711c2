import type { CommandState } from '@isotherm/contract/command'
import { type OrderMessage, toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { RequestProperties } from '../../../platform/mqtt/broker-port.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { CommandStore, DueCommand, OverdueCommand } from '../model/records.ts'
import { ANSWER_MS, FOUND_AGAIN_MS, GRACE_MS, isSleeping, RETRY_AFTER_MS } from '../model/timing.ts'
import type { LaneClaim } from './queues.pg.ts'

const PAUSE_MS = 1_000
/** What could not be brought is tried again after it. */
const POSTPONE_MS = 2_000
/** Wakes of so short a time are one round. */
const GATHER_MS = 10
/** Lanes brought side by side. */
const MAX_LANES = 64
/** Commands of one lane that wait for their devices' answers. */
const WINDOW = 32
const OVERDUE_AT_ONCE = 500
/** A broker that takes longer for one message is as good as away. */
const PUBLISH_LIMIT_MS = 5_000
/** How long a lane may be worked on, and how much longer it is ours. */
const LANE_LIMIT_MS = 10_000
const LEASE_MS = LANE_LIMIT_MS + 2 * PUBLISH_LIMIT_MS
/** How long after a report a sleeping client still listens. */
const AWAKE_MS = 20_000

/** The lanes of the store, see lanes.pg.ts. */
export interface LaneStore {
  take(claim: LaneClaim): Promise<readonly DueCommand[]>
  release(worker: string, ids: readonly number[]): Promise<void>
  postpone(ids: readonly string[], nextAt: number): Promise<void>
  listAsleep(): Promise<readonly number[]>
  finishBatches(): Promise<void>
  /** Ends holds that are over by the clock. */
  expireHolds(now: number): Promise<void>
}

export interface DispatcherNeeds {
  readonly store: Pick<CommandStore, 'apply' | 'listOverdue'>
  readonly lanes: LaneStore
  readonly directory: DeviceDirectory
  /** Publishes at QoS 1; resolves when the broker has taken it. */
  readonly publish: (topic: string, payload: string, request: RequestProperties) => Promise<void>
  /** Whether an MQTT client is there to be published to; true where nobody can tell. */
  readonly isConnected: (node: string) => boolean
  readonly clock: Clock
  readonly log: Log
  /** Name of this replica, of no other and of none before it. */
  readonly worker: string
}

export interface Dispatcher {
  /** Looks for due commands now instead of at the next round. */
  wake(): void
  /** A device was heard: if it is a client that sleeps, it listens now. */
  noteUplink(deviceId: number): void
  /** Ends after the present round and the lanes under way. */
  close(): Promise<void>
}

/** A command on the wire. */
function toMessage({ id, kind, target, createdAt, expiresAt, rev }: DueCommand, dev: string): OrderMessage {
  const order = { v: 1, id, dev, iat: createdAt, exp: expiresAt, rev } as const
  return kind === 'pump.set'
    ? { ...order, do: kind, args: { head: target } }
    : { ...order, do: kind, args: { opening: target } }
}

/**
 * Brings stored commands to the broker, the lane of each MQTT client by itself, and ends those whose time is up.
 * Each round reads the rows anew, so any number of replicas may run one and a restart loses nothing.
 */
export function startDispatcher(needs: DispatcherNeeds): Dispatcher {
  const { store, lanes, directory, clock, log, worker } = needs
  const startedAt = clock.now()
  const awakeUntil = new Map<number, number>()
  const running = new Map<number, Promise<void>>()
  const ended = new Set<number>()
  let asleep: ReadonlySet<number> = new Set()
  let closed = false

  /** Resolves when the broker has the command; false when the valve or its client is not there (yet). */
  async function publish(due: DueCommand): Promise<boolean> {
    const device = directory.findById(due.deviceId)
    if (!device) return false
    const node = directory.gatewayOf(device)
    if (!needs.isConnected(node)) return false
    const message = toMessage(due, device.serial)
    await needs.publish(toDownTopic(device.tenant, node, 'cmd'), JSON.stringify(message), {
      id: due.id,
      replyTo: toUpTopic(device.tenant, node, 'reply'),
      expiresAt: due.expiresAt,
    })
    return true
  }

  /** The broker's answer, or 'late' when it takes too long: then nobody knows whether it has the command. */
  async function publishInTime(due: DueCommand): Promise<boolean | 'late'> {
    const late = Promise.withResolvers<'late'>()
    const limit = clock.setTimeout(() => late.resolve('late'), PUBLISH_LIMIT_MS)
    try {
      return await Promise.race([publish(due), late.promise])
    } catch (error) {
      log.warn({ err: error, command: due.id }, 'a command waits for the broker')
      return false
    } finally {
      limit.cancel()
    }
  }

  /** Brings the commands of a lane one after the other; what cannot be brought now is due again soon. */
  async function bringLane(commands: readonly DueCommand[]): Promise<void> {
    const until = clock.now() + LANE_LIMIT_MS
    const noted: Promise<unknown>[] = []
    const left: string[] = []
    for (const due of commands) {
      const isStuck = left.length > 0 || clock.now() > until
      const outcome = isStuck ? false : await publishInTime(due)
      if (outcome === true) noted.push(store.apply(due.id, 'published', { at: clock.now() }))
      if (outcome === false) left.push(due.id)
    }
    if (left.length > 0) noted.push(lanes.postpone(left, clock.now() + POSTPONE_MS))
    await Promise.all(noted)
  }

  function startLane(id: number, commands: readonly DueCommand[]): void {
    const lane = bringLane(commands)
      // What was taken is due again when its answer is overdue.
      .catch((error: unknown) => log.warn({ err: error, lane: id }, 'a lane of commands failed'))
      .then(() => {
        running.delete(id)
        ended.add(id)
        rounds.wake()
      })
    ended.delete(id)
    running.set(id, lane)
  }

  function toClaim(now: number): LaneClaim {
    for (const [id, until] of awakeUntil) if (until <= now) awakeUntil.delete(id)
    return {
      worker,
      now,
      leaseUntil: now + LEASE_MS,
      answerBy: now - ANSWER_MS,
      retryAfter: RETRY_AFTER_MS,
      lanes: MAX_LANES - running.size,
      window: WINDOW,
      busy: [...running.keys()],
      awake: [...awakeUntil.keys()],
    }
  }

  /** What was tried may have reached the broker, though nobody lived to note it. */
  async function endOne({ id, wasTried }: OverdueCommand, at: number): Promise<CommandState | undefined> {
    if (wasTried) await store.apply(id, 'published', { at })
    return store.apply(id, 'deadline', { at })
  }

  async function endOverdue(): Promise<void> {
    for (let taken = OVERDUE_AT_ONCE; taken === OVERDUE_AT_ONCE && !closed; ) {
      const at = clock.now()
      // Nothing that a device may have done is given up while its answer cannot have come yet.
      const triedBefore = at - startedAt < FOUND_AGAIN_MS ? 0 : at - GRACE_MS
      const overdue = await store.listOverdue({ now: at, triedBefore, limit: OVERDUE_AT_ONCE })
      const states = await Promise.all(overdue.map((command) => endOne(command, at)))
      taken = states.some((state) => state !== undefined) ? overdue.length : 0
    }
  }

  async function work(): Promise<void> {
    const released = [...ended]
    if (released.length > 0) {
      await lanes.release(worker, released)
      for (const id of released) ended.delete(id)
    }
    if (running.size < MAX_LANES) {
      const due = await lanes.take(toClaim(clock.now()))
      for (const [id, commands] of Map.groupBy(due, ({ laneId }) => laneId)) startLane(id, commands)
    }
    await endOverdue()
    await lanes.finishBatches()
    await lanes.expireHolds(clock.now())
    asleep = new Set(await lanes.listAsleep())
  }

  const rounds = startPollLoop({
    clock,
    work,
    pauseMs: PAUSE_MS,
    gatherMs: GATHER_MS,
    onError: (error) => log.warn({ err: error }, 'could not send commands; retrying'),
  })
  return {
    wake: rounds.wake,
    noteUplink(deviceId) {
      const device = directory.findById(deviceId)
      if (!device || !isSleeping(device)) return
      awakeUntil.set(deviceId, clock.now() + AWAKE_MS)
      if (asleep.has(deviceId)) rounds.wake()
    },
    async close() {
      closed = true
      await rounds.close()
      await Promise.all(running.values())
      if (ended.size > 0) {
        await lanes
          .release(worker, [...ended])
          .catch((error: unknown) => log.warn({ err: error }, 'lanes are released later'))
      }
    },
  }
}
