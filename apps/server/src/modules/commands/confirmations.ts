import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { AwaitingCommand, CommandStore } from './store.ts'

/** A valve's measured opening from the live stream. */
export interface OpeningReading {
  readonly deviceId: number
  /** Instant of the measurement, Unix ms. */
  readonly ts: number
  readonly openingPct: number
}

/** Whether a reading shows that the valve stands where the command wanted it. */
const confirms = (command: AwaitingCommand, reading: OpeningReading): boolean =>
  reading.ts >= command.doneAt && Math.abs(reading.openingPct - command.openingPct) <= OPENING_TOLERANCE_PCT

/** Watches readings for the commands that wait for one. Holds only those, by device. */
export function createConfirmations(store: CommandStore, clock: Clock, log: Log) {
  let awaiting = new Map<number, AwaitingCommand>()
  const newest = new Map<number, OpeningReading>()

  async function confirmBy(command: AwaitingCommand, reading: OpeningReading): Promise<void> {
    if (!confirms(command, reading)) return
    awaiting.delete(command.deviceId)
    const detail = `${reading.openingPct} % at ${reading.ts}`
    await store.apply(command.id, 'confirmed', { at: clock.now(), detail })
  }

  async function reload(): Promise<void> {
    const commands = await store.listAwaiting()
    awaiting = new Map(commands.map((command) => [command.deviceId, command]))
    for (const command of commands) {
      const reading = newest.get(command.deviceId)
      if (reading) await confirmBy(command, reading)
    }
  }

  return {
    /** Reads anew which commands wait: at start, and whenever one has changed. */
    reload,
    /** Takes an opening from the live stream; the newest of each valve is kept for a `done` that comes after it. */
    observe(reading: OpeningReading): void {
      newest.set(reading.deviceId, reading)
      const command = awaiting.get(reading.deviceId)
      if (!command) return
      confirmBy(command, reading).catch((error: unknown) => {
        awaiting.set(command.deviceId, command)
        log.warn({ err: error, command: command.id }, 'a confirmation waits for the store')
      })
    },
  }
}
