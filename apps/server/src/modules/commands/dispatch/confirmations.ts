import {
  type CommandKind,
  commandKind,
  isHeadAt,
  OFFSET_TOLERANCE_K,
  OPENING_TOLERANCE_PCT,
} from '@isotherm/contract/command'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { ApplyEvent, AwaitingCommand, Setpoint, ShownOpening } from '../model/records.ts'

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
  /** Stores an opening that a valve reports for a command and that does not confirm it, unless a newer one is stored. */
  readonly recordShown: (id: string, shown: ShownOpening) => Promise<void>
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
  /** By device: the last opening that was stored for a command, %. */
  const recorded = new Map<number, { readonly id: string; readonly pct: number }>()

  const findKey = ({ id, deviceId }: Pick<AwaitingCommand, 'id' | 'deviceId'>): string | undefined =>
    commandKind.options.map((kind) => toKey(deviceId, kind)).find((key) => awaiting.get(key)?.id === id)

  function forget(command: Pick<AwaitingCommand, 'id' | 'deviceId'>): void {
    const key = findKey(command)
    if (key !== undefined) awaiting.delete(key)
  }

  /** Stores what a valve reports for its command: one that never confirms it is evidence of a fault. */
  function recordOpening({ id, deviceId, kind }: AwaitingCommand, { value, ts }: ActualReading): void {
    const last = recorded.get(deviceId)
    if (kind !== 'valve.set' || (last?.id === id && last.pct === value)) return
    recorded.set(deviceId, { id, pct: value })
    recordShown(id, { pct: value, ts }).catch((error: unknown) => {
      recorded.delete(deviceId)
      log.warn({ err: error, command: id }, 'could not store the opening after a command')
    })
  }

  /** Confirms a command if a reading shows its setpoint. Returns whether the reading answers it with another value. */
  function tryConfirm(command: AwaitingCommand, reading: ActualReading): boolean {
    if (!answers(command, reading)) return false
    if (!isReached(command, reading.value)) return true
    const detail = `${reading.value} ${units[reading.kind]} at ${reading.ts}`
    apply(command.id, 'confirmed', { at: clock.now(), detail }).then(
      () => forget(command),
      // The command stays in the cache: the next reading retries.
      (error: unknown) => log.warn({ err: error, command: command.id }, 'could not store a confirmation'),
    )
    return false
  }

  /**
   * Finds the awaiting command of a key. If the clock was set back, `doneAt` is in the future and no reading would confirm
   * the command until then: in that case `doneAt` becomes the present time.
   */
  function withPastDone(key: string): AwaitingCommand | undefined {
    const command = awaiting.get(key)
    const now = clock.now()
    if (command === undefined || command.doneAt <= now) return command
    const done = { ...command, doneAt: now }
    awaiting.set(key, done)
    return done
  }

  /** Adds a command to the cache. Returns the newest reading if it answers the command with another value. */
  function add(command: AwaitingCommand): ActualReading | undefined {
    const key = toKey(command.deviceId, command.kind)
    awaiting.set(key, command)
    const reading = newest.get(key)
    return reading && tryConfirm(command, reading) ? reading : undefined
  }

  return {
    /** The device reported this command as done. */
    expect(command: AwaitingCommand): void {
      const other = add(command)
      if (other) recordOpening(command, other)
    },
    /** The command is final. */
    forget,
    isExpected: (command: Pick<AwaitingCommand, 'id' | 'deviceId'>): boolean =>
      findKey(command) !== undefined,
    /**
     * Reads the awaiting commands: at start, after lost signals, and when another replica received a `done`. Stores no opening:
     * the newest reading here may be older than the stored one.
     */
    async reload(): Promise<void> {
      for (const command of await listAwaiting()) add(command)
    },
    /** Accepts a live reading. */
    observe(reading: ActualReading): void {
      const key = toKey(reading.deviceId, reading.kind)
      if (reading.ts < (newest.get(key)?.ts ?? 0)) return
      newest.set(key, reading)
      const command = withPastDone(key)
      if (command && tryConfirm(command, reading)) recordOpening(command, reading)
    },
  }
}
