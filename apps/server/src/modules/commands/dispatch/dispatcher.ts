import type { CommandState } from '@isotherm/contract/command'
import { type GatewayName, type OrderMessage, toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { RequestProperties } from '../../../platform/mqtt/broker-port.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { repeatUntilDone } from '../../../platform/tasks/repeat-until-done.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import { expireHolds } from '../holds/holds.pg.ts'
import type { ApplyEvent, DueCommand, OverdueCommand } from '../model/records.ts'
import { ANSWER_MS, GRACE_MS, isSleeping, RECONNECT_MS, RETRY_AFTER_MS } from '../model/timing.ts'
import { finishBatches } from '../orders/batches.pg.ts'
import { listOverdue } from '../store/open-commands.pg.ts'
import {
  claimDueCommands,
  listSleepingQueues,
  postponeCommands,
  type QueueClaim,
  releaseQueues,
} from './queues.pg.ts'

const PAUSE_MS = 1_000
/** Delay before the retry of a command that could not be published. */
const POSTPONE_MS = 2_000
/** Wakes within this time share one run. */
const GATHER_MS = 10
/** Queues that are sent at the same time. */
const MAX_QUEUES = 64
/** Commands of one queue that wait for the answers of their devices. */
const WINDOW = 32
const OVERDUE_AT_ONCE = 500
/** A broker that needs longer for one message counts as unavailable. */
const PUBLISH_LIMIT_MS = 5_000
/** Time limit for one run of a queue, and the lease on it. */
const QUEUE_LIMIT_MS = 10_000
const LEASE_MS = QUEUE_LIMIT_MS + 2 * PUBLISH_LIMIT_MS
/** How long a sleeping gateway listens after a report. */
const AWAKE_MS = 20_000

export interface DispatcherNeeds {
  readonly db: Database
  readonly apply: ApplyEvent
  readonly directory: DeviceDirectory
  /** Publishes at QoS 1; resolves when the broker has accepted the message. */
  readonly publish: (topic: string, payload: string, request: RequestProperties) => Promise<void>
  /** Whether a gateway is connected; true if the broker does not report it. */
  readonly isConnected: (gateway: GatewayName) => boolean
  readonly clock: Clock
  readonly log: Log
  /** Name of this process, unique among all replicas and earlier processes. */
  readonly worker: string
}

export interface Dispatcher {
  /** Checks for due commands soon instead of after the pause. */
  wake(): void
  /** A device has reported: if it is a sleeping gateway, it listens now. */
  recordUplink(deviceId: number): void
  /** Ends after the current run and the queues in progress. */
  close(): Promise<void>
}

/** The MQTT message of a command. */
function toMessage(due: DueCommand, dev: string): OrderMessage {
  const { id, kind, target, createdAt, expiresAt, rev, maxOpenS } = due
  const order = { v: 1, id, dev, iat: createdAt, exp: expiresAt, rev } as const
  if (kind === 'pump.set') return { ...order, do: kind, args: { head: target } }
  if (kind === 'supply.set') return { ...order, do: kind, args: { offset: target } }
  return { ...order, do: kind, args: { opening: target, ...(maxOpenS === null ? {} : { maxSec: maxOpenS }) } }
}

/**
 * Publishes stored commands, with one queue per gateway, and ends commands past their deadline. Each run reads the
 * database, so several replicas may run a dispatcher and a restart loses nothing.
 */
export function startDispatcher(needs: DispatcherNeeds): Dispatcher {
  const { db, apply, directory, clock, log, worker } = needs
  const startedAt = clock.elapsed()
  const awakeUntil = new Map<number, number>()
  const running = new Map<number, Promise<void>>()
  const ended = new Set<number>()
  let asleep: ReadonlySet<number> = new Set()
  let isClosed = false

  /** Resolves with true when the broker has the command; with false if the device or its gateway is not available. */
  async function publish(due: DueCommand): Promise<boolean> {
    const device = directory.findById(due.deviceId)
    if (!device) return false
    const gateway = directory.gatewayOf(device)
    if (!needs.isConnected({ tenant: device.tenant, gateway })) return false
    const message = toMessage(due, device.serial)
    await needs.publish(toDownTopic(device.tenant, gateway, 'cmd'), JSON.stringify(message), {
      id: due.id,
      replyTo: toUpTopic(device.tenant, gateway, 'reply'),
      expiresAt: due.expiresAt,
    })
    return true
  }

  /** The result of `publish`, or 'late' after the time limit: then it is not known whether the broker has the command. */
  async function publishWithLimit(due: DueCommand): Promise<boolean | 'late'> {
    const late = Promise.withResolvers<'late'>()
    const limit = clock.setTimeout(() => late.resolve('late'), PUBLISH_LIMIT_MS)
    try {
      return await Promise.race([publish(due), late.promise])
    } catch (error) {
      log.warn({ err: error, command: due.id }, 'could not publish a command; retrying')
      return false
    } finally {
      limit.cancel()
    }
  }

  /** Publishes the commands of a queue in order. After a failure the rest of them is postponed. */
  async function sendQueue(commands: readonly DueCommand[]): Promise<void> {
    const until = clock.elapsed() + QUEUE_LIMIT_MS
    const writes: Promise<unknown>[] = []
    const left: string[] = []
    for (const due of commands) {
      const isStuck = left.length > 0 || clock.elapsed() > until
      const outcome = isStuck ? false : await publishWithLimit(due)
      if (outcome === true) writes.push(apply(due.id, 'published', { at: clock.now() }))
      if (outcome === false) left.push(due.id)
    }
    if (left.length > 0) writes.push(postponeCommands(db, left, clock.now() + POSTPONE_MS))
    await Promise.all(writes)
  }

  function startQueue(id: number, commands: readonly DueCommand[]): void {
    const queue = sendQueue(commands)
      // A claimed command is due again when its answer is overdue.
      .catch((error: unknown) => log.warn({ err: error, queue: id }, 'could not send a queue of commands'))
      .then(() => {
        running.delete(id)
        ended.add(id)
        loop.wake()
      })
    ended.delete(id)
    running.set(id, queue)
  }

  function toClaim(now: number): QueueClaim {
    for (const [id, until] of awakeUntil) if (until <= clock.elapsed()) awakeUntil.delete(id)
    return {
      worker,
      now,
      leaseUntil: now + LEASE_MS,
      answerBy: now - ANSWER_MS,
      retryAfter: RETRY_AFTER_MS,
      queues: MAX_QUEUES - running.size,
      window: WINDOW,
      busy: [...running.keys()],
      awake: [...awakeUntil.keys()],
    }
  }

  /** A tried command may have reached the broker, even if that was never recorded. */
  async function endOne({ id, wasTried }: OverdueCommand, at: number): Promise<CommandState | undefined> {
    if (wasTried) await apply(id, 'published', { at })
    return apply(id, 'deadline', { at })
  }

  /** Ends some overdue commands. Returns their number, or 0 if none of them changed, which ends the repetition. */
  async function endSomeOverdue(): Promise<number> {
    const at = clock.now()
    // The answer of a device may still arrive: after a start until devices have reconnected, later for GRACE_MS.
    const triedBefore = clock.elapsed() - startedAt < RECONNECT_MS ? 0 : at - GRACE_MS
    const overdue = await listOverdue(db, { now: at, triedBefore, limit: OVERDUE_AT_ONCE })
    const states = await Promise.all(overdue.map((command) => endOne(command, at)))
    return states.some((state) => state !== undefined) ? overdue.length : 0
  }

  async function work(): Promise<void> {
    const released = [...ended]
    if (released.length > 0) {
      await releaseQueues(db, worker, released)
      for (const id of released) ended.delete(id)
    }
    if (running.size < MAX_QUEUES) {
      const due = await claimDueCommands(db, toClaim(clock.now()))
      for (const [id, commands] of Map.groupBy(due, ({ queueId }) => queueId)) startQueue(id, commands)
    }
    await repeatUntilDone(endSomeOverdue, { batchSize: OVERDUE_AT_ONCE, isStopped: () => isClosed })
    await finishBatches(db)
    await expireHolds(db, clock.now())
    asleep = new Set(await listSleepingQueues(db))
  }

  const loop = startPollLoop({
    clock,
    work,
    pauseMs: PAUSE_MS,
    gatherMs: GATHER_MS,
    onError: (error) => log.warn({ err: error }, 'could not send commands; retrying'),
  })
  return {
    wake: loop.wake,
    recordUplink(deviceId) {
      const device = directory.findById(deviceId)
      if (!device || !isSleeping(device)) return
      awakeUntil.set(deviceId, clock.elapsed() + AWAKE_MS)
      if (asleep.has(deviceId)) loop.wake()
    },
    async close() {
      isClosed = true
      await loop.close()
      await Promise.all(running.values())
      if (ended.size > 0) {
        await releaseQueues(db, worker, [...ended]).catch((error: unknown) =>
          log.warn({ err: error }, 'could not release the queues; their leases expire'),
        )
      }
    },
  }
}
