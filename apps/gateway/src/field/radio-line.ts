import { SECOND_MS } from '@isotherm/kernel/durations'
import { decodeByProfile } from '@isotherm/profiles/decode-by-profile'
import { encodeCommand } from '@isotherm/profiles/encode-by-profile'
import type { ResolvedDevice, ResolvedLine } from '@isotherm/profiles/resolve-gateway-config'
import type { Line, LineNeeds, WriteOrder, WriteOutcome } from './line.ts'
import { toLineState } from './line-state.ts'
import { type Shown, toChildren, toGoodValues } from './to-children.ts'

/** An uplink of a device. */
export interface RadioUplink {
  /** DevEUI in 16 hexadecimal digits. */
  readonly address: string
  /** Identity of the message: the same for a repetition. */
  readonly key: string
  readonly port: number
  readonly data: Uint8Array
  /** When the network received it, Unix ms. */
  readonly at: number
  readonly frameCount: number
  /** Of the gateway with the best reception, dBm. */
  readonly rssi: number | undefined
}

/** A downlink for the queue of the network server. */
export interface RadioDownlink {
  readonly address: string
  readonly port: number
  readonly isConfirmed: boolean
  readonly data: Uint8Array
  /** It is discarded if it was not sent before, Unix ms. */
  readonly until: number
}

/**
 * End of a downlink. `acknowledged`, `not-acknowledged`: by the device. `sent`: a gateway has sent it; the end of one that is not
 * confirmed. `expired`: it was not sent in time. `refused`: it cannot be sent.
 */
export type DownlinkEnd = 'acknowledged' | 'not-acknowledged' | 'sent' | 'expired' | 'refused'

/** The network server while it is connected. */
export interface RadioLink {
  /** Puts a downlink into its queue; returns how that ends. */
  readonly enqueue: (downlink: RadioDownlink) => Promise<DownlinkEnd>
}

/** A line as the driver of a radio network sees it. */
export interface RadioDriverLine {
  readonly opened: (link: RadioLink) => void
  /** False if the line has no such device. */
  readonly reported: (uplink: RadioUplink) => boolean
  readonly closed: () => void
}

export type RadioLine = Line & RadioDriverLine

interface Device extends ResolvedDevice {
  /** Last uplink, Unix ms. */
  answeredAt: number | undefined
  /** Last report since the last `read`. */
  fresh: Shown | undefined
  readonly readers: Set<(shown: Shown | undefined) => void>
}

/** Identities of uplinks that are remembered, to drop repetitions of a broker. */
const MAX_KEYS = 5_000
/** A device without an uplink for so many periods does not answer. */
const SILENT_PERIODS = 3
const outcomes = {
  acknowledged: 'acknowledged',
  'not-acknowledged': 'silence',
  sent: 'silence',
  expired: 'expired',
  refused: 'refused',
} as const satisfies Record<DownlinkEnd, WriteOutcome>

/**
 * Devices of a radio network, which report by themselves and sleep between their reports (LoRaWAN class A). There is nothing to poll; a
 * write waits in the queue of the network server for the next report, and shows in a later one.
 */
export function createRadioLine(
  { line: config, devices: resolved }: ResolvedLine,
  needs: LineNeeds,
): RadioLine {
  const { now } = needs
  const startedAt = now()
  const devices = resolved.map(
    (device): Device => ({ ...device, answeredAt: undefined, fresh: undefined, readers: new Set() }),
  )
  const byAddress = new Map(devices.map((device) => [device.address.toLowerCase(), device]))
  const bySerial = new Map(devices.map((device) => [device.serial, device]))
  const keys = new Set<string>()
  const openWaiters = new Set<() => void>()
  let link: RadioLink | undefined
  let isClosed = false

  /** Waits for the network server. False if an instant passes first, or the line is closed. */
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

  function isRepetition({ key, at, frameCount }: RadioUplink, serial: string): boolean {
    if (keys.has(key)) return true
    keys.add(key)
    const [oldest] = keys
    if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest)
    // The last one that an earlier process stored may come again if it was killed before it acknowledged.
    const mark = needs.findMark(serial)
    return mark !== undefined && mark.slot === at && mark.sequence === frameCount
  }

  function store(device: Device, { port, data, at, frameCount, rssi }: RadioUplink): Shown | undefined {
    const outcome = decodeByProfile(device.profileData, data, { port })
    const found = outcome.kind === 'readings' ? [outcome] : []
    const children = toChildren(device.serial, at, found, needs.meterZoneMin)
    const withSignal = rssi === undefined ? [] : [{ id: device.serial, ts: at, m: { rssi } }]
    needs.onReadings([...children, ...withSignal], { serial: device.serial, slot: at, sequence: frameCount })
    return outcome.kind === 'readings' ? { at, values: toGoodValues(found) } : undefined
  }

  async function write(order: WriteOrder): Promise<WriteOutcome> {
    const device = bySerial.get(order.serial)
    const { bus } = device?.profileData ?? {}
    const command = bus?.driver === 'lorawan' ? bus.commands[order.target] : undefined
    const target = device && { address: device.address, sequence: 0 }
    const data = target && encodeCommand(device.profileData, target, order.target, order.value)
    if (device === undefined || command === undefined || data === undefined) return 'unsupported'
    if (!(await waitForLink(order.until))) return 'expired'
    if (!order.confirmStart()) return 'withdrawn'
    device.fresh = undefined
    const end = await link?.enqueue({
      address: device.address.toLowerCase(),
      port: command.port,
      isConfirmed: command.isConfirmed,
      data,
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
      const device = byAddress.get(uplink.address.toLowerCase())
      if (device === undefined) return false
      if (isRepetition(uplink, device.serial)) return true
      device.answeredAt = now()
      const shown = store(device, uplink)
      if (shown === undefined) return true
      // Several readers wait at the same time if commands follow each other quickly.
      if (device.readers.size === 0) device.fresh = shown
      for (const resolve of device.readers) resolve(shown)
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
