import {
  type OrderMessage,
  orderMessage,
  type ReadRequest,
  readRequest,
  replyCodes,
} from '@isotherm/contract/mqtt'
import { MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { closesByItself } from '@isotherm/profiles/encode-by-profile'
import type { FieldDeviceEntry } from '../field/field.ts'
import type { Line } from '../field/line.ts'
import type { Journal, JournalCommand, Order, Reply } from './journal.ts'
import { isShown, targets, toResult, toValue } from './targets.ts'

/** What the executor needs of a device: its line and its profile. */
export type CommandedDevice = Pick<FieldDeviceEntry, 'profile'> & {
  readonly line: Pick<Line, 'write' | 'read' | 'reportsItself'>
}

export interface CommandExecutorOptions {
  /** Serial of the gateway itself. */
  readonly self: string
  readonly journal: Journal
  readonly now: () => number
  /** A monotonic clock, ms. */
  readonly monotonic?: () => number
  readonly find: (serial: string) => CommandedDevice | undefined
  /** Sends a reply that the journal has stored. */
  readonly send: (reply: Reply) => void
  readonly wait: (ms: number) => Promise<void>
}

/** Executes commands of the server on the devices, and replies to them. */
export interface CommandExecutor {
  /** A parsed message of down/cmd. */
  receive(message: unknown): void
  /**
   * Continues commands of an earlier process: one that was not written is written; one that was written is only
   * confirmed by readings.
   */
  resume(): void
  close(): void
}

/**
 * Pauses before the readings that show whether a device has reached the commanded value, ms; the last one repeats.
 */
const CONFIRM_PAUSES_MS = [1, 2, 4, 8, 15, 30].map((s) => s * SECOND_MS)
/**
 * Time after which a device that has not reached the commanded value has failed, ms. The server waits five minutes
 * after the start.
 */
const TRAVEL_MS = 4.5 * MINUTE_MS

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 64

/** Id and device of a message that is not a valid command, so that it can be refused; undefined without them. */
function findName(message: unknown): { readonly id: string; readonly dev: string } | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const id = 'id' in message ? message.id : undefined
  const dev = 'dev' in message ? message.dev : undefined
  return isText(id) && isText(dev) ? { id, dev } : undefined
}

interface Refusal {
  readonly code: number
  readonly msg: string
}

/** Refusal if the journal cannot store the command: without it, a command could be written twice. */
const NO_JOURNAL: Refusal = {
  code: replyCodes.deviceFailure,
  msg: 'the gateway cannot store commands: its disk is full',
}
/** Refusal of an order with a closing time that the profile cannot pass on: the valve would stay open. */
const NO_TIMER: Refusal = {
  code: replyCodes.unsupported,
  msg: 'the device cannot close by a timer of its own',
}
const EXPIRED: Refusal = { code: replyCodes.expired, msg: 'expired' }

export function createCommandExecutor({
  self,
  journal,
  now,
  monotonic = () => performance.now(),
  find,
  send,
  wait,
}: CommandExecutorOptions): CommandExecutor {
  /** Id of the newest command by order and device. */
  const newest = new Map<string, string>()
  let isClosed = false
  const keyOf = ({ dev, do: order }: Pick<JournalCommand, 'dev' | 'do'>): string => `${order} ${dev}`
  const isCurrent = (command: JournalCommand): boolean => newest.get(keyOf(command)) === command.id

  function reply(
    command: Omit<JournalCommand, 'state' | 'writtenAt'>,
    given: Omit<Reply, 'id' | 'dev' | 'ts'> & Partial<Pick<Reply, 'ts'>>,
  ): void {
    if (isClosed) return
    const full: Reply = { id: command.id, dev: command.dev, ts: now(), ...given }
    try {
      journal.reply(full, command, given.stage === 'done' || given.code !== replyCodes.ok)
    } catch {
      // The disk is full. The reply is sent anyway; after a restart the device is read once more.
    }
    send(full)
  }

  const fail = (command: JournalCommand, { code, msg }: Refusal): void =>
    reply(command, { stage: command.state === 'waiting' ? 'accepted' : 'done', code, msg })

  const SUPERSEDED: Refusal = { code: replyCodes.superseded, msg: 'a newer command came' }

  /**
   * Reads the device until it has reached the commanded value. Each reading is also sent to the server, which
   * confirms the command by it.
   */
  async function confirm(
    command: JournalCommand,
    { line, profile }: CommandedDevice,
    isAcknowledged = false,
  ): Promise<void> {
    const { metric, isReached } = targets[command.do]
    if (!isShown(profile, command.do)) {
      // The device does not report this value, so its acknowledgement is the only proof.
      if (isAcknowledged) return reply(command, { stage: 'done', code: replyCodes.ok })
      return reply(command, { stage: 'done', code: replyCodes.busTimeout, msg: 'no answer' })
    }
    // The remaining time, at most TRAVEL_MS: the clock may have jumped since an earlier process wrote the command.
    // For a device that reports by itself it is the validity of the command, because its next report may be an hour
    // away.
    const leftMs = line.reportsItself
      ? Math.max(command.exp - now(), 0)
      : Math.min(Math.max((command.writtenAt ?? now()) + TRAVEL_MS - now(), 0), TRAVEL_MS)
    const until = monotonic() + leftMs
    let [hasAnswered, last]: [boolean, number | undefined] = [false, undefined]
    for (let round = 0; !isClosed && (monotonic() < until || round === 0); round++) {
      if (!line.reportsItself)
        await wait(CONFIRM_PAUSES_MS[Math.min(round, CONFIRM_PAUSES_MS.length - 1)] ?? SECOND_MS)
      if (!isCurrent(command)) return fail(command, SUPERSEDED)
      const untilMs = Math.max(until - monotonic(), line.reportsItself ? 0 : MINUTE_MS)
      const shown = await line.read(command.dev, now() + untilMs)
      if (isClosed) return
      hasAnswered ||= shown !== undefined
      last = shown?.values.get(metric) ?? last
      if (last === undefined || !isReached(last, command.value)) continue
      // `ts` is the instant of the reading, because the server confirms the command by that reading.
      const done = { stage: 'done', code: replyCodes.ok, res: toResult(command.do, last) } as const
      return reply(command, { ...done, ...(shown === undefined ? {} : { ts: shown.at }) })
    }
    if (isClosed) return
    const result = last === undefined ? {} : { res: toResult(command.do, last) }
    if (hasAnswered)
      reply(command, { stage: 'done', code: replyCodes.deviceFailure, msg: 'it did not arrive', ...result })
    else reply(command, { stage: 'done', code: replyCodes.busTimeout, msg: 'no answer' })
  }

  async function execute(command: JournalCommand, entry: CommandedDevice): Promise<void> {
    // After a restart the device may have another profile than at the acceptance.
    if (command.maxSec !== undefined && !closesByItself(entry.profile)) return fail(command, NO_TIMER)
    let hasJournal = true
    const markWritten = (): boolean => {
      try {
        return journal.markWritten(command.id)
      } catch {
        hasJournal = false
        return false
      }
    }
    const outcome = await entry.line.write({
      serial: command.dev,
      target: targets[command.do].target,
      value: command.value,
      ...(command.maxSec === undefined ? {} : { maxSec: command.maxSec }),
      until: command.exp,
      // The journal is on the disk before the first byte is sent, so that no restart writes the command again.
      confirmStart: () => !isClosed && isCurrent(command) && markWritten(),
    })
    if (isClosed) return
    const written: JournalCommand = { ...command, state: 'written', writtenAt: now() }
    switch (outcome) {
      case 'expired':
        return fail(command, EXPIRED)
      case 'withdrawn':
        return fail(command, hasJournal ? SUPERSEDED : NO_JOURNAL)
      case 'unsupported':
        return fail(command, { code: replyCodes.unsupported, msg: 'the profile has no such command' })
      case 'refused':
        return fail(written, { code: replyCodes.deviceFailure, msg: 'the device refused it' })
      case 'acknowledged':
        // After this reply the server waits five minutes, too short for a device that shows its state in a later
        // report.
        if (!entry.line.reportsItself) reply(written, { stage: 'accepted', code: replyCodes.ok })
        return confirm(written, entry, true)
      case 'silence':
        // The device may have received the command: its readings decide.
        return confirm(written, entry)
    }
  }

  function findRefusal(message: OrderMessage): Refusal | undefined {
    const entry = find(message.dev)
    if (message.exp <= now()) return EXPIRED
    if (entry === undefined) return { code: replyCodes.noSuchChild, msg: 'no line has this device' }
    if (message.do === 'valve.set' && message.args.maxSec !== undefined && !closesByItself(entry.profile))
      return NO_TIMER
    const known = journal.findRevision(message.dev, message.do)
    if (message.rev <= known) return { code: replyCodes.superseded, msg: `revision ${known} is known` }
    return undefined
  }

  function start(command: JournalCommand, entry: CommandedDevice): void {
    const before = newest.get(keyOf(command))
    if (before !== command.id) newest.set(keyOf(command), command.id)
    const work = command.state === 'waiting' ? execute(command, entry) : confirm(command, entry)
    void work.finally(() => {
      if (isCurrent(command)) newest.delete(keyOf(command))
    })
  }

  function accept(message: OrderMessage): void {
    const order: Order = message.do
    const value = toValue(message)
    const maxSec = message.do === 'valve.set' ? message.args.maxSec : undefined
    const command = {
      id: message.id,
      dev: message.dev,
      do: order,
      value,
      exp: message.exp,
      ...(maxSec === undefined ? {} : { maxSec }),
    } as const
    const known = journal.findReply(message.id)
    if (known !== undefined) {
      // A repeated command: it is running or has ended.
      if (known !== 'none') send(known)
      return
    }
    const refusal = findRefusal(message)
    const entry = find(message.dev)
    if (refusal !== undefined || entry === undefined) {
      reply(command, { stage: 'accepted', ...(refusal ?? EXPIRED) })
      return
    }
    try {
      journal.accept(command, message.rev)
    } catch {
      reply(command, { stage: 'accepted', ...NO_JOURNAL })
      return
    }
    start({ ...command, state: 'waiting', writtenAt: undefined }, entry)
  }

  /**
   * Reads a device out of turn. It is not stored in the journal: a read that a restart interrupts ends by its time, and a
   * repeated one does no harm. The readings are sent before the reply.
   */
  async function answerRead({ id, dev, exp }: ReadRequest): Promise<void> {
    const say = (given: Pick<Reply, 'stage' | 'code'> & Partial<Reply>): void => {
      if (!isClosed) send({ id, dev, ts: now(), ...given })
    }
    const entry = find(dev)
    if (exp <= now()) return say({ stage: 'accepted', ...EXPIRED })
    if (dev !== self && entry === undefined)
      return say({ stage: 'accepted', code: replyCodes.noSuchChild, msg: 'no line has this device' })
    if (entry?.line.reportsItself)
      return say({ stage: 'accepted', code: replyCodes.unsupported, msg: 'it reports by itself' })
    say({ stage: 'accepted', code: replyCodes.ok })
    const shown = entry === undefined ? { at: now() } : await entry.line.read(dev, exp)
    if (shown !== undefined) return say({ stage: 'done', code: replyCodes.ok, ts: shown.at })
    say({ stage: 'done', code: replyCodes.busTimeout, msg: 'no answer' })
  }

  return {
    receive(message) {
      const read = readRequest.safeParse(message)
      if (read.success) {
        void answerRead(read.data)
        return
      }
      const parsed = orderMessage.safeParse(message)
      if (parsed.success) return accept(parsed.data)
      const name = findName(message)
      if (name === undefined) return
      send({ ...name, stage: 'accepted', code: replyCodes.badArguments, msg: 'bad arguments', ts: now() })
    },
    resume() {
      // First, so that a command that fails at once below is not reported twice.
      for (const stored of journal.listUnreported()) send(stored)
      for (const command of journal.listOpen()) {
        const entry = find(command.dev)
        if (entry === undefined)
          fail(command, { code: replyCodes.noSuchChild, msg: 'no line has this device' })
        else start(command, entry)
      }
    },
    close() {
      isClosed = true
    },
  }
}
