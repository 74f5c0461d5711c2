import { EVERY_METER } from '@isotherm/codecs/cjt188/encode'
import { createLineParser } from '@isotherm/codecs/stream/line-parser'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { decodeByProfile, decodeProperties, type ProfileOutcome } from '@isotherm/profiles/decode-by-profile'
import {
  encodeCommand,
  encodePropertyCommand,
  encodeTimedOpening,
  type PropertyWrite,
} from '@isotherm/profiles/encode-by-profile'
import type { ResolvedDevice, ResolvedLine } from '@isotherm/profiles/resolve-gateway-config'
import type { Line, LineNeeds, WriteOrder, WriteOutcome } from './line.ts'
import { toLineState } from './line-state.ts'
import { listFormats } from './steps.ts'
import { type Shown, toChildren, toGoodValues } from './to-children.ts'

/** Content of a report. The profile of the device selects what is read of it. */
export interface ReportContent {
  readonly data?: Uint8Array
  /** Port of LoRaWAN. */
  readonly port?: number
  /** Properties as the platform of an operator names them. */
  readonly values?: ReadonlyMap<string, unknown>
}

/** A report of a device. */
export interface RadioUplink {
  /** Name of the device in its network: its DevEUI, or its name at the platform. */
  readonly address: string
  /** Identity of the message: the same for a repetition. */
  readonly key: string
  readonly content: ReportContent
  /** When the network received it, Unix ms. */
  readonly at: number
  /** Distinguishes the messages of a device at one instant: the frame counter, or a checksum. */
  readonly sequence: number
  /** Of the gateway with the best reception, dBm. */
  readonly rssi: number | undefined
}

/** A downlink for the queue of the network server. */
export interface RadioDownlink {
  readonly address: string
  readonly content:
    | {
        readonly kind: 'payload'
        readonly data: Uint8Array
        readonly port?: number
        readonly isConfirmed: boolean
      }
    | { readonly kind: 'properties'; readonly write: PropertyWrite }
  /** The network server discards it if it was not sent before, Unix ms. */
  readonly until: number
}

/**
 * Result of a downlink. `acknowledged`, `not-acknowledged`: by the device. `sent`: a gateway of the network has sent
 * it; the last state of an unconfirmed downlink. `expired`: it was not sent in time. `refused`: it cannot be sent.
 */
export type DownlinkEnd = 'acknowledged' | 'not-acknowledged' | 'sent' | 'expired' | 'refused'

/** The network server while it is connected. */
export interface RadioLink {
  /** Puts a downlink into the queue of its device; resolves with its result. */
  readonly enqueue: (downlink: RadioDownlink) => Promise<DownlinkEnd>
}

/** A line as the driver of a radio network uses it. */
export interface RadioDriverLine {
  readonly opened: (link: RadioLink) => void
  /** Passes a report. False if the line has no such device. */
  readonly reported: (uplink: RadioUplink) => boolean
  readonly closed: () => void
}

export type RadioLine = Line & RadioDriverLine

type Readings = Extract<ProfileOutcome, { kind: 'readings' }>

interface Device extends ResolvedDevice {
  /** Number of the last write. */
  sequence: number
  /** Last uplink, Unix ms. */
  answeredAt: number | undefined
  /** Last report since the last `read`. */
  fresh: Shown | undefined
  readonly readers: Set<(shown: Shown | undefined) => void>
}

/**
 * Maximum number of remembered report keys, to drop repetitions by a broker or platform: some hours of 20,000
 * devices.
 */
const MAX_KEYS = 50_000
/** A device without an uplink in this number of periods does not answer. */
const SILENT_PERIODS = 3
const outcomes = {
  acknowledged: 'acknowledged',
  'not-acknowledged': 'silence',
  sent: 'silence',
  expired: 'expired',
  refused: 'refused',
} as const satisfies Record<DownlinkEnd, WriteOutcome>

/** The name of a device in its network. */
const toName = ({ platformId, address }: ResolvedDevice): string => (platformId ?? address).toLowerCase()

const EIGHT_DIGITS = /^\d{8}$/

/** Whether a frame is from the device: several meters may share one module, and each frame names its meter. */
function isOf({ profileData: { bus }, address }: ResolvedDevice, frame: Readings): boolean {
  const sender = frame.address.toLowerCase()
  if (bus.driver === 'cjt188') return [sender, EVERY_METER.toLowerCase()].includes(address.toLowerCase())
  // A telegram without the identity of its meter has a primary address.
  const isComparable = bus.driver === 'mbus' && EIGHT_DIGITS.test(address) && sender.length === 8
  return !isComparable || sender === address
}

/** Decodes the readings of a report by the profile of its device. A payload of a bus may contain several frames. */
function decodeReport(device: ResolvedDevice, content: ReportContent): readonly Readings[] {
  const { profileData: profile } = device
  const { data, port, values } = content
  if (profile.bus.driver === 'properties') {
    const outcome = decodeProperties(profile, values ?? new Map())
    return outcome.kind === 'readings' ? [outcome] : []
  }
  const context = port === undefined ? {} : { port }
  const outcomes = splitPayload(profile, data ?? new Uint8Array()).map((bytes) =>
    decodeByProfile(profile, bytes, context),
  )
  return outcomes.filter((outcome) => outcome.kind === 'readings').filter((frame) => isOf(device, frame))
}

function splitPayload(profile: DeviceProfile, data: Uint8Array): readonly Uint8Array[] {
  if (profile.bus.driver === 'lorawan') return [data]
  const parser = createLineParser({ formats: listFormats([profile]), direction: 'reply' })
  return [...parser.push(data, 0), ...parser.tick(Number.MAX_SAFE_INTEGER)].map(({ bytes }) => bytes)
}

/** Payload of a write; undefined if the profile has no such command or cannot express the value. */
function encodeWrite(
  { address, profileData: profile, sequence }: Device,
  { target, value, maxSec }: Pick<WriteOrder, 'target' | 'value' | 'maxSec'>,
): RadioDownlink['content'] | undefined {
  const { bus } = profile
  if (maxSec !== undefined && value > 0) {
    const command = bus.driver === 'lorawan' ? bus.commands.timedOpening : undefined
    const timed = command && encodeTimedOpening(profile, value, maxSec)
    return timed && { kind: 'payload', data: timed, port: command.port, isConfirmed: command.isConfirmed }
  }
  if (bus.driver === 'properties') {
    const write = encodePropertyCommand(profile, target, value)
    return write && { kind: 'properties', write }
  }
  const data = encodeCommand(profile, { address, sequence }, target, value)
  if (data === undefined) return undefined
  const command = bus.driver === 'lorawan' ? bus.commands[target] : undefined
  if (command === undefined) return { kind: 'payload', data, isConfirmed: true }
  return { kind: 'payload', data, port: command.port, isConfirmed: command.isConfirmed }
}

/**
 * Line of devices on a radio network (LoRaWAN class A, NB-IoT). They report by themselves, sleep between their
 * reports and cannot be polled. A write waits in the queue of the network server for the next report, and a later
 * report shows its result.
 */
export function createRadioLine(
  { line: config, devices: resolved }: ResolvedLine,
  needs: LineNeeds,
): RadioLine {
  const { now } = needs
  const startedAt = now()
  const devices = resolved.map(
    (device): Device => ({
      ...device,
      sequence: 0,
      answeredAt: undefined,
      fresh: undefined,
      readers: new Set(),
    }),
  )
  const byName = Map.groupBy(devices, toName)
  const bySerial = new Map(devices.map((device) => [device.serial, device]))
  const keys = new Set<string>()
  const openWaiters = new Set<() => void>()
  let link: RadioLink | undefined
  let isClosed = false

  /** Waits for the connection to the network server. False if an instant passes first or the line closes. */
  async function waitForLink(until: number): Promise<boolean> {
    if (link === undefined && !isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, Math.max(until - now(), 0))
      openWaiters.add(resolve)
      await promise
      openWaiters.delete(resolve)
      clearTimeout(timer)
    }
    return link !== undefined && !isClosed && now() < until
  }

  function isRepetition(key: string): boolean {
    if (keys.has(key)) return true
    keys.add(key)
    const [oldest] = keys
    if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest)
    return false
  }

  /**
   * Whether an earlier process stored this report. It may arrive again if that process was killed before it
   * acknowledged it.
   */
  function isStored(serial: string, { at, sequence }: RadioUplink): boolean {
    const mark = needs.findMark(serial)
    return mark !== undefined && mark.slot === at && mark.sequence === sequence
  }

  function store(device: Device, { content, at, sequence, rssi }: RadioUplink): Shown | undefined {
    const found = decodeReport(device, content)
    const children = toChildren(device.serial, at, found, needs.meterZoneMin)
    const withSignal = rssi === undefined ? [] : [{ id: device.serial, ts: at, m: { rssi } }]
    needs.onReadings([...children, ...withSignal], { serial: device.serial, slot: at, sequence })
    return found.length === 0 ? undefined : { at, values: toGoodValues(found) }
  }

  function take(device: Device, uplink: RadioUplink): void {
    if (isStored(device.serial, uplink)) return
    device.answeredAt = now()
    const shown = store(device, uplink)
    if (shown === undefined) return
    // Several readers wait at the same time if commands follow each other quickly.
    if (device.readers.size === 0) device.fresh = shown
    for (const resolve of device.readers) resolve(shown)
  }

  async function write(order: WriteOrder): Promise<WriteOutcome> {
    const device = bySerial.get(order.serial)
    if (device === undefined) return 'unsupported'
    device.sequence = (device.sequence + 1) & 0xffff
    const content = encodeWrite(device, order)
    if (content === undefined) return 'unsupported'
    if (!(await waitForLink(order.until))) return 'expired'
    if (!order.confirmStart()) return 'withdrawn'
    device.fresh = undefined
    const end = await link?.enqueue({
      address: device.platformId ?? toName(device),
      content,
      until: order.until,
    })
    return end === undefined ? 'silence' : outcomes[end]
  }

  async function read(serial: string, until: number): Promise<Shown | undefined> {
    const device = bySerial.get(serial)
    if (device === undefined || isClosed) return undefined
    const { fresh } = device
    device.fresh = undefined
    if (fresh !== undefined) return fresh
    const { promise, resolve } = Promise.withResolvers<Shown | undefined>()
    const timer = setTimeout(() => resolve(undefined), Math.max(until - now(), 0))
    device.readers.add(resolve)
    const shown = await promise
    clearTimeout(timer)
    device.readers.delete(resolve)
    return shown
  }

  const isSilent = ({ answeredAt = startedAt, pollPeriodS, profileData }: Device): boolean =>
    now() - answeredAt > SILENT_PERIODS * (pollPeriodS ?? profileData.pollPeriodS) * SECOND_MS

  return {
    id: config.id,
    serials: devices.map(({ serial }) => serial),
    reportsItself: true,
    opened(next) {
      link = next
      for (const resolve of openWaiters) resolve()
    },
    reported(uplink) {
      const found = byName.get(uplink.address.toLowerCase())
      if (found === undefined) return false
      if (!isRepetition(uplink.key)) for (const device of found) take(device, uplink)
      return true
    },
    closed() {
      link = undefined
    },
    write,
    read,
    state: () => toLineState(link !== undefined, devices, isSilent),
    close() {
      isClosed = true
      link = undefined
      for (const resolve of openWaiters) resolve()
      for (const { readers } of devices) for (const resolve of readers) resolve(undefined)
    },
  }
}
