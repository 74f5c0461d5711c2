import { type CommandMessage, toDownTopic } from '@isotherm/contract/mqtt'
import type { Clock, Timer } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import type { CommandStore, DueCommand } from './store.ts'
import { planNextAttempt } from './timing.ts'

const PAUSE_MS = 1_000
const BATCH = 100
/** A broker that takes longer for one message is as good as away. */
const PUBLISH_LIMIT_MS = 5_000

export interface DispatcherNeeds {
  readonly store: CommandStore
  readonly directory: DeviceDirectory
  /** Publishes at QoS 1; resolves when the broker has taken it. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export interface Dispatcher {
  /** Looks for due commands now instead of at the next turn. */
  wake(): void
  /** Ends after the present turn. */
  close(): Promise<void>
}

/**
 * Brings stored commands to the broker and ends those whose time is up. Each turn reads the rows anew, so any
 * number of replicas may run one and a restart loses nothing.
 */
export function startDispatcher(needs: DispatcherNeeds): Dispatcher {
  const { store, directory, clock, log } = needs
  let timer: Timer | undefined
  let turn: Promise<void> = Promise.resolve()
  let woken = false
  let busy = false
  let closed = false

  /** Resolves when the broker has the command; false when the valve is not in the directory (yet). */
  async function publish(due: DueCommand): Promise<boolean> {
    const device = directory.findById(due.deviceId)
    if (!device) return false
    const message: CommandMessage = {
      v: 1,
      id: due.id,
      dev: device.serial,
      do: 'valve.set',
      args: { opening: due.openingPct },
      iat: due.createdAt,
      exp: due.expiresAt,
      rev: due.rev,
    }
    await needs.publish(toDownTopic(device.tenant, directory.nodeOf(device), 'cmd'), JSON.stringify(message))
    return true
  }

  /** The broker's answer, or 'late' when it takes too long: then nobody knows whether it has the command. */
  async function publishInTime(due: DueCommand): Promise<boolean | 'late'> {
    const late = Promise.withResolvers<'late'>()
    const limit = clock.setTimeout(() => late.resolve('late'), PUBLISH_LIMIT_MS)
    try {
      return await Promise.race([publish(due), late.promise])
    } finally {
      limit.cancel()
    }
  }

  async function bring(due: DueCommand): Promise<void> {
    const outcome = await publishInTime(due).catch((error: unknown) => {
      log.warn({ err: error, command: due.id }, 'a command waits for the broker')
      return false
    })
    if (outcome === true) await store.apply(due.id, 'published', { at: clock.now() })
    if (outcome === false) await store.postpone(due.id, clock.now() + PAUSE_MS)
  }

  async function work(): Promise<void> {
    for (let taken = BATCH; taken === BATCH && !closed; ) {
      const now = clock.now()
      const due = await store.takeDue(now, BATCH, (attempts) => planNextAttempt(attempts, now))
      for (const command of due) await bring(command)
      taken = due.length
    }
    for (const id of await store.listOverdue(clock.now(), BATCH)) {
      await store.apply(id, 'deadline', { at: clock.now() })
    }
  }

  async function takeTurn(): Promise<void> {
    busy = true
    woken = false
    await work().catch((error: unknown) => log.warn({ err: error }, 'commands wait: a turn failed'))
    busy = false
    if (!closed) plan(woken ? 0 : PAUSE_MS)
  }

  function plan(delayMs: number): void {
    timer?.cancel()
    timer = clock.setTimeout(() => {
      turn = takeTurn()
    }, delayMs)
  }

  plan(0)
  return {
    wake() {
      woken = true
      if (!busy && !closed) plan(0)
    },
    async close() {
      closed = true
      timer?.cancel()
      await turn
    },
  }
}
