import type { LineFrame } from '@isotherm/codecs/stream/line-parser'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import type { ChildReading } from '@isotherm/contract/mqtt'
import { decodeByProfile, type ProfileOutcome } from '@isotherm/profiles/decode-by-profile'
import type { CommandTarget } from '@isotherm/profiles/encode-by-profile'
import type { ResolvedLine } from '@isotherm/profiles/resolve-gateway-config'
import type { PollMark } from '../store/poll-marks.ts'
import type { DriverLine, UnknownDevice } from './driver.ts'
import { createExchanger, type ExchangeOutcome, type Exchanger } from './exchanger.ts'
import { type LineState, toLineState } from './line-state.ts'
import {
  createPolledDevice,
  dueAt,
  endSlot,
  hasAttempt,
  isSilent,
  type PolledDevice,
} from './polled-device.ts'
import { createLineScan, type RunningScan, type ScanOrder } from './scan/line-scan.ts'
import { isRefusal, listFormats, listPollSteps, type Step, toCommandStep } from './steps.ts'
import { type Shown, toChildren, toGoodValues } from './to-children.ts'
import { createUnknownDeviceCheck } from './unknown-device.ts'

/** Maximum wait for the reply to an optional request, ms: no device has to answer it. */
const OPTIONAL_MS = 600

export interface LineNeeds extends Pick<GatewayConfig, 'meterZoneMin' | 'firstTimeOutMs'> {
  readonly now: () => number
  readonly findMark: (serial: string) => PollMark | undefined
  /** Called with readings of a device, and with the mark of the poll that gave them, if any. */
  readonly onReadings: (children: readonly ChildReading[], mark?: PollMark) => void
  readonly onUnknownDevice: (unknownDevice: UnknownDevice) => void
  /** Called when a poll ended. `lateMs`: delay after the start of its period. */
  readonly onPolled?: (poll: {
    readonly serial: string
    readonly lateMs: number
    readonly hasAnswered: boolean
  }) => void
}

export type WriteOutcome = 'acknowledged' | 'refused' | 'silence' | 'expired' | 'unsupported' | 'withdrawn'

export interface WriteOrder {
  readonly serial: string
  readonly target: CommandTarget
  readonly value: number
  /** The device closes the valve by itself after so many seconds. */
  readonly maxSec?: number
  /** End of its validity, Unix ms. */
  readonly until: number
  /** Called immediately before the write is sent; false cancels it. */
  readonly confirmStart: () => boolean
}

/** A line and its devices, as commands and health see it. */
export interface Line {
  readonly id: string
  readonly serials: readonly string[]
  /** Writes a target once. Waits for the line until the order expires; is never repeated. */
  readonly write: (order: WriteOrder) => Promise<WriteOutcome>
  /**
   * Whether its devices report by themselves. Then they are not polled, and a write reaches a device after one of its
   * next reports; `read` waits for a report.
   */
  readonly reportsItself: boolean
  /**
   * Reads a device now, besides its polls, until an instant (Unix ms). Its readings are also sent to the server.
   * Undefined without an answer.
   */
  readonly read: (serial: string, until: number) => Promise<Shown | undefined>
  /**
   * Searches the line for devices; polls and writes go on between its steps. Undefined while a search of it is running. Absent if
   * its devices cannot be searched for.
   */
  readonly scan?: (order: ScanOrder) => RunningScan | undefined
  readonly state: () => LineState
  readonly close: () => void
}

/** A half-duplex line: one request at a time, writes before polls. */
export type BusLine = Line & DriverLine

interface Job {
  readonly until: number
  readonly run: (exchanger: Exchanger) => Promise<void>
  readonly expire: () => void
}

type Readings = Extract<ProfileOutcome, { kind: 'readings' }>

/** Answers of a device to the requests of a poll. */
interface Answers {
  readonly outcomes: readonly Readings[]
  readonly hasAnswered: boolean
  readonly isComplete: boolean
}

export function createLine({ line: config, devices: resolved }: ResolvedLine, needs: LineNeeds): BusLine {
  const { now } = needs
  const devices = resolved.map((device) =>
    createPolledDevice(device, config.id, needs.findMark(device.serial), needs.firstTimeOutMs),
  )
  const bySerial = new Map(devices.map((device) => [device.serial, device]))
  const formats = listFormats(resolved.map(({ profileData }) => profileData))
  const findUnknownDevice = createUnknownDeviceCheck(resolved)
  const jobs: Job[] = []
  let exchanger: Exchanger | undefined
  let isClosed = false
  let wake: () => void = () => undefined
  const scan = createLineScan({
    timeOutMs: needs.firstTimeOutMs,
    wake: () => wake(),
    onFound(frame) {
      const unknownDevice = findUnknownDevice(frame)
      if (unknownDevice === undefined) return true
      needs.onUnknownDevice({ line: config.id, ...unknownDevice })
      return false
    },
  })
  let timer: NodeJS.Timeout | undefined

  /** Sends a request and waits for its reply. */
  async function send(
    on: Exchanger,
    device: PolledDevice,
    { bytes, isReply, isConfusable, isOptional }: Step,
  ): Promise<ExchangeOutcome> {
    const timeOutMs = isOptional ? Math.min(OPTIONAL_MS, device.timeOut.ms) : device.timeOut.ms
    const { bus } = device.bus.profile
    if (bus.driver === 'mbus' && bus.addressing === 'secondary') scan.onSelected()
    const outcome = await on.exchange({ bytes, isReply, isConfusable, timeOutMs })
    if (outcome.kind === 'reply') {
      device.timeOut.answered(outcome.afterMs)
      device.answeredAt = now()
    } else if (outcome.kind === 'silence' && !isOptional) device.timeOut.silent()
    return outcome
  }

  function decode(device: PolledDevice, frame: LineFrame, step: Step): Readings | undefined {
    const outcome = decodeByProfile(device.bus.profile, frame.bytes, step.context)
    return outcome.kind === 'readings' ? outcome : undefined
  }

  async function readAll(on: Exchanger, device: PolledDevice): Promise<Answers> {
    device.sequence = (device.sequence + 1) & 0xffff
    const outcomes: Readings[] = []
    let hasAnswered = false
    for (const first of listPollSteps(device.bus, device.sequence) ?? []) {
      for (let step: Step | undefined = first; step !== undefined; ) {
        const outcome = await send(on, device, step)
        if (outcome.kind !== 'reply') {
          if (step.isOptional && outcome.kind === 'silence') break
          return { outcomes, hasAnswered, isComplete: false }
        }
        hasAnswered = true
        const readings = decode(device, outcome.frame, step)
        if (readings !== undefined) outcomes.push(readings)
        step = step.next(outcome.frame)
      }
    }
    return { outcomes, hasAnswered, isComplete: true }
  }

  async function poll(on: Exchanger, device: PolledDevice): Promise<void> {
    const slot = device.clock.slotAt(now())
    device.attempts++
    const { outcomes, hasAnswered, isComplete } = await readAll(on, device)
    // The device did not fail: the connection was lost.
    if (exchanger !== on && !isComplete) {
      device.attempts = 0
      return
    }
    if (!isComplete && hasAttempt(device)) {
      device.notBefore = now() + device.attempts * device.retryMs
      return
    }
    const ts = now()
    const children = toChildren(device.serial, ts, outcomes, needs.meterZoneMin)
    // An answer after the end of its period is the reading of the next period.
    const ofSlot = Math.max(slot, device.clock.slotAt(ts))
    endSlot(device, ofSlot, hasAnswered)
    if (children.length > 0)
      needs.onReadings(children, { serial: device.serial, slot: ofSlot, sequence: device.sequence })
    needs.onPolled?.({ serial: device.serial, lateMs: ts - device.clock.startOf(slot), hasAnswered })
  }

  function findDue(at: number): PolledDevice | undefined {
    let [found, foundAt]: [PolledDevice | undefined, number] = [undefined, at]
    for (const device of devices) {
      const due = dueAt(device, at)
      if (due <= foundAt && (found === undefined || due < foundAt)) [found, foundAt] = [device, due]
    }
    return found
  }

  function nextAt(at: number): number {
    let next = scan.until() ?? Number.POSITIVE_INFINITY
    for (const { until } of jobs) next = Math.min(next, until)
    if (exchanger !== undefined) for (const device of devices) next = Math.min(next, dueAt(device, at))
    return next
  }

  async function sleep(at: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const ms = nextAt(at) - at
    // At most a day: a longer timer would overflow.
    if (Number.isFinite(ms)) timer = setTimeout(resolve, Math.min(Math.max(ms, 1), 86_400_000))
    await promise
    clearTimeout(timer)
  }

  function dropExpired(at: number): void {
    if ((scan.until() ?? Number.POSITIVE_INFINITY) <= at) scan.end('expired')
    for (const job of [...jobs]) {
      if (job.until > at) continue
      jobs.splice(jobs.indexOf(job), 1)
      job.expire()
    }
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      const at = now()
      dropExpired(at)
      const on = exchanger
      const job = on === undefined ? undefined : jobs.shift()
      const device = on === undefined || job !== undefined ? undefined : findDue(at)
      if (on !== undefined && job !== undefined) await job.run(on)
      else if (on !== undefined && device !== undefined) await poll(on, device)
      else if (on !== undefined && scan.until() !== undefined) await scan.step(on)
      else await sleep(at)
    }
    scan.end('withdrawn')
    for (const job of jobs.splice(0)) job.expire()
  }

  function enqueue<Result>(
    until: number,
    work: (on: Exchanger) => Promise<Result>,
    expired: Result,
  ): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>()
    jobs.push({
      until,
      run: async (on) => resolve(await work(on)),
      expire: () => resolve(expired),
    })
    wake()
    return promise
  }

  async function writeOnce(on: Exchanger, order: WriteOrder): Promise<WriteOutcome> {
    const device = bySerial.get(order.serial)
    if (device === undefined) return 'unsupported'
    device.sequence = (device.sequence + 1) & 0xffff
    const step = toCommandStep(device.bus, device.sequence, order.target, order.value)
    if (step === undefined) return 'unsupported'
    if (!order.confirmStart()) return 'withdrawn'
    const outcome = await send(on, device, step)
    if (outcome.kind !== 'reply') return 'silence'
    return isRefusal(outcome.frame) ? 'refused' : 'acknowledged'
  }

  async function readNow(on: Exchanger, serial: string): Promise<Shown | undefined> {
    const device = bySerial.get(serial)
    if (device === undefined) return undefined
    const { outcomes } = await readAll(on, device)
    const at = now()
    const children = toChildren(serial, at, outcomes, needs.meterZoneMin)
    if (children.length > 0) needs.onReadings(children)
    return outcomes.length === 0 ? undefined : { at, values: toGoodValues(outcomes) }
  }

  void run()
  return {
    id: config.id,
    serials: devices.map(({ serial }) => serial),
    reportsItself: false,
    opened(link) {
      exchanger?.close()
      exchanger = createExchanger({
        formats,
        onStray(frame) {
          const unknownDevice = findUnknownDevice(frame)
          if (unknownDevice !== undefined) needs.onUnknownDevice({ line: config.id, ...unknownDevice })
        },
        ...link,
      })
      wake()
    },
    received: (bytes) => exchanger?.receive(bytes),
    closed() {
      exchanger?.close()
      exchanger = undefined
      wake()
    },
    write: (order) => enqueue<WriteOutcome>(order.until, (on) => writeOnce(on, order), 'expired'),
    read: (serial, until) => enqueue<Shown | undefined>(until, (on) => readNow(on, serial), undefined),
    // Modbus has no search: an address that answers does not say what it is.
    ...(config.driver === 'modbus-tcp' ? {} : { scan: scan.start }),
    state: () => toLineState(exchanger !== undefined, devices, isSilent),
    close() {
      isClosed = true
      exchanger?.close()
      exchanger = undefined
      wake()
    },
  }
}
