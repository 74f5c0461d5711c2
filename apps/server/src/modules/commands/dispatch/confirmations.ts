import {
  type CommandKind,
  commandKind,
  isHeadAt,
  OFFSET_TOLERANCE_K,
  OPENING_TOLERANCE_PCT,
} from '@isotherm/contract/command'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { ApplyEvent, AwaitingCommand, Setpoint } from '../model/records.ts'

/** Device of a reading and the time of the measurement, Unix ms. */
export interface MeasuredAt {
  readonly deviceId: number
  readonly ts: number
}

/** A live reading: the measured opening of a valve, %, or the head, kPa, or reported offset, K, of a station. */
interface ActualReading extends MeasuredAt, Pick<Setpoint, 'kind'> {
  readonly value: number
}

const isReached = ({ kind, target }: Setpoint, value: number): boolean => {
  if (kind === 'pump.set') return isHeadAt(value, target)
  return Math.abs(value - target) <= (kind === 'supply.set' ? OFFSET_TOLERANCE_K : OPENING_TOLERANCE_PCT)
}

/** Whether a reading shows where the device is after it carried out the command. */
const answers = (command: AwaitingCommand, { kind, ts }: ActualReading): boolean =>
  kind === command.kind && ts >= command.doneAt

const units = { 'valve.set': '%', 'pump.set': 'kPa', 'supply.set': 'K' } as const

/** A station has a head and an offset: each waits for its own readings. */
const toKey = (deviceId: number, kind: CommandKind): string => `${deviceId} ${kind}`

export interface ConfirmationsNeeds {
  readonly apply: ApplyEvent
  /** Stores an opening that a valve reports for a command and that does not confirm it, %. */
  readonly recordShown: (id: string, openingPct: number) => Promise<void>
  readonly listAwaiting: () => Promise<readonly AwaitingCommand[]>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/**
 * Confirms commands with readings. Caches the awaiting commands and the newest reading of each kind and device, because a
 * `done` may arrive after its reading.
 */
export function createConfirmations({ apply, recordShown, listAwaiting, clock, log }: ConfirmationsNeeds) {
  const awaiting = new Map<string, AwaitingCommand>()
  const newest = new Map<string, ActualReading>()

  const findKey = ({ id, deviceId }: Pick<AwaitingCommand, 'id' | 'deviceId'>): string | undefined =>
    commandKind.options.map((kind) => toKey(deviceId, kind)).find((key) => awaiting.get(key)?.id === id)

  function forget(command: Pick<AwaitingCommand, 'id' | 'deviceId'>): void {
    const key = findKey(command)
    if (key !== undefined) awaiting.delete(key)
  }

  /** Stores what a valve reports for its command: one that never confirms it is evidence of a fault. */
  function recordOpening({ id }: AwaitingCommand, { value }: ActualReading): void {
    recordShown(id, value).catch((error: unknown) =>
      log.warn({ err: error, command: id }, 'could not store the opening after a command'),
    )
  }

  function tryConfirm(command: AwaitingCommand, reading: ActualReading | undefined): void {
    if (!reading || !answers(command, reading)) return
    if (!isReached(command, reading.value)) {
      if (command.kind === 'valve.set') recordOpening(command, reading)
      return
    }
    const detail = `${reading.value} ${units[reading.kind]} at ${reading.ts}`
    apply(command.id, 'confirmed', { at: clock.now(), detail }).then(
      () => forget(command),
      // The command stays in the cache: the next reading retries.
      (error: unknown) => log.warn({ err: error, command: command.id }, 'could not store a confirmation'),
    )
  }

  /**
   * After the clock was set back, the time of `done` seems to be ahead, and readings would confirm it only then. From the next
   * reading on they do.
   */
  function withPastDone(key: string): AwaitingCommand | undefined {
    const command = awaiting.get(key)
    const now = clock.now()
    if (command === undefined || command.doneAt <= now) return command
    const done = { ...command, doneAt: now }
    awaiting.set(key, done)
    return done
  }

  function expect(command: AwaitingCommand): void {
    const key = toKey(command.deviceId, command.kind)
    awaiting.set(key, command)
    tryConfirm(command, newest.get(key))
  }

  return {
    /** The device reported this command as done. */
    expect,
    /** The command is final. */
    forget,
    isExpected: (command: Pick<AwaitingCommand, 'id' | 'deviceId'>): boolean =>
      findKey(command) !== undefined,
    /** Reads the awaiting commands: at start, after lost signals, and when another replica received a `done`. */
    async reload(): Promise<void> {
      for (const command of await listAwaiting()) expect(command)
    },
    /** Accepts a live reading. */
    observe(reading: ActualReading): void {
      const key = toKey(reading.deviceId, reading.kind)
      if (reading.ts < (newest.get(key)?.ts ?? 0)) return
      newest.set(key, reading)
      const command = withPastDone(key)
      if (command) tryConfirm(command, reading)
    },
  }
}
