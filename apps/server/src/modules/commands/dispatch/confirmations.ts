import { isHeadAt, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Aim, AwaitingCommand, CommandStore } from '../model/records.ts'

/** Of which device a reading is, and when it was measured, Unix ms. */
export interface MeasuredAt {
  readonly deviceId: number
  readonly ts: number
}

/** Where a device stands, from the live stream: a valve's measured opening, %, or a station's head, kPa. */
interface StandReading extends MeasuredAt, Pick<Aim, 'kind'> {
  readonly value: number
}

const isReached = ({ kind, target }: Aim, value: number): boolean =>
  kind === 'pump.set' ? isHeadAt(value, target) : Math.abs(value - target) <= OPENING_TOLERANCE_PCT

/** Whether a reading shows that the device stands where the command wanted it. */
const confirms = (command: AwaitingCommand, { kind, ts, value }: StandReading): boolean =>
  kind === command.kind && ts >= command.doneAt && isReached(command, value)

const units = { 'valve.set': '%', 'pump.set': 'kPa' } as const

/**
 * Watches readings for the commands that wait for one. Holds only those, and the newest reading of each device
 * for a `done` that comes after its reading.
 */
export function createConfirmations(store: CommandStore, clock: Clock, log: Log) {
  const awaiting = new Map<number, AwaitingCommand>()
  const newest = new Map<number, StandReading>()

  function forget({ id, deviceId }: Pick<AwaitingCommand, 'id' | 'deviceId'>): void {
    if (awaiting.get(deviceId)?.id === id) awaiting.delete(deviceId)
  }

  function tryConfirm(command: AwaitingCommand, reading: StandReading | undefined): void {
    if (!reading || !confirms(command, reading)) return
    const detail = `${reading.value} ${units[reading.kind]} at ${reading.ts}`
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
    /** Takes a reading from the live stream. */
    observe(reading: StandReading): void {
      if (reading.ts < (newest.get(reading.deviceId)?.ts ?? 0)) return
      newest.set(reading.deviceId, reading)
      const command = awaiting.get(reading.deviceId)
      if (command) tryConfirm(command, reading)
    },
  }
}
