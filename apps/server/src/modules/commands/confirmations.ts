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

/**
 * Watches readings for the commands that wait for one. Holds only those, and the newest opening of each valve
 * for a `done` that comes after its reading.
 */
export function createConfirmations(store: CommandStore, clock: Clock, log: Log) {
  const awaiting = new Map<number, AwaitingCommand>()
  const newest = new Map<number, OpeningReading>()

  function forget({ id, deviceId }: Pick<AwaitingCommand, 'id' | 'deviceId'>): void {
    if (awaiting.get(deviceId)?.id === id) awaiting.delete(deviceId)
  }

  function tryConfirm(command: AwaitingCommand, reading: OpeningReading | undefined): void {
    if (!reading || !confirms(command, reading)) return
    const detail = `${reading.openingPct} % at ${reading.ts}`
    store.apply(command.id, 'confirmed', { at: clock.now(), detail }).then(
      () => forget(command),
      // It stays awaited: the next reading tries again.
      (error: unknown) => log.warn({ err: error, command: command.id }, 'a confirmation waits for the store'),
    )
  }

  function expect(command: AwaitingCommand): void {
    awaiting.set(command.deviceId, command)
    tryConfirm(command, newest.get(command.deviceId))
  }

  return {
    /** A device says that it is done with this command. */
    expect,
    /** The command is final. */
    forget,
    isExpected: ({ id, deviceId }: Pick<AwaitingCommand, 'id' | 'deviceId'>): boolean =>
      awaiting.get(deviceId)?.id === id,
    /** Reads which commands wait: at start, after signals were lost, and for those of other replicas. */
    async reload(): Promise<void> {
      for (const command of await store.listAwaiting()) expect(command)
    },
    /** Takes an opening from the live stream. */
    observe(reading: OpeningReading): void {
      if (reading.ts < (newest.get(reading.deviceId)?.ts ?? 0)) return
      newest.set(reading.deviceId, reading)
      const command = awaiting.get(reading.deviceId)
      if (command) tryConfirm(command, reading)
    },
  }
}
