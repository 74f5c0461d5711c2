import { isHeadAt, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { ApplyEvent, AwaitingCommand, Setpoint } from '../model/records.ts'

/** Device of a reading and the time of the measurement, Unix ms. */
export interface MeasuredAt {
  readonly deviceId: number
  readonly ts: number
}

/** A live reading: the measured opening of a valve, %, or the head of a station, kPa. */
interface ActualReading extends MeasuredAt, Pick<Setpoint, 'kind'> {
  readonly value: number
}

const isReached = ({ kind, target }: Setpoint, value: number): boolean =>
  kind === 'pump.set' ? isHeadAt(value, target) : Math.abs(value - target) <= OPENING_TOLERANCE_PCT

/** Whether a reading shows that the device has reached the setpoint of the command. */
const confirms = (command: AwaitingCommand, { kind, ts, value }: ActualReading): boolean =>
  kind === command.kind && ts >= command.doneAt && isReached(command, value)

const units = { 'valve.set': '%', 'pump.set': 'kPa' } as const

export interface ConfirmationsNeeds {
  readonly apply: ApplyEvent
  readonly listAwaiting: () => Promise<readonly AwaitingCommand[]>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/**
 * Confirms commands with readings. Caches the awaiting commands and the newest reading of each device, because a `done`
 * may arrive after its reading.
 */
export function createConfirmations({ apply, listAwaiting, clock, log }: ConfirmationsNeeds) {
  const awaiting = new Map<number, AwaitingCommand>()
  const newest = new Map<number, ActualReading>()

  function forget({ id, deviceId }: Pick<AwaitingCommand, 'id' | 'deviceId'>): void {
    if (awaiting.get(deviceId)?.id === id) awaiting.delete(deviceId)
  }

  function tryConfirm(command: AwaitingCommand, reading: ActualReading | undefined): void {
    if (!reading || !confirms(command, reading)) return
    const detail = `${reading.value} ${units[reading.kind]} at ${reading.ts}`
    apply(command.id, 'confirmed', { at: clock.now(), detail }).then(
      () => forget(command),
      // The command stays in the cache: the next reading retries.
      (error: unknown) => log.warn({ err: error, command: command.id }, 'could not store a confirmation'),
    )
  }

  function expect(command: AwaitingCommand): void {
    awaiting.set(command.deviceId, command)
    tryConfirm(command, newest.get(command.deviceId))
  }

  return {
    /** The device reported this command as done. */
    expect,
    /** The command is final. */
    forget,
    isExpected: ({ id, deviceId }: Pick<AwaitingCommand, 'id' | 'deviceId'>): boolean =>
      awaiting.get(deviceId)?.id === id,
    /** Reads the awaiting commands: at start, after lost signals, and when another replica received a `done`. */
    async reload(): Promise<void> {
      for (const command of await listAwaiting()) expect(command)
    },
    /** Accepts a live reading. */
    observe(reading: ActualReading): void {
      if (reading.ts < (newest.get(reading.deviceId)?.ts ?? 0)) return
      newest.set(reading.deviceId, reading)
      const command = awaiting.get(reading.deviceId)
      if (command) tryConfirm(command, reading)
    },
  }
}
