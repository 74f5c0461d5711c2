import { findCjt } from '@isotherm/codecs/cjt188/frame'
import { decodeMbus } from '@isotherm/codecs/mbus/decode'
import { encodeReqUd2 } from '@isotherm/codecs/mbus/encode'
import { findMbus, mbusAddresses } from '@isotherm/codecs/mbus/frame'
import { MAX_TELEGRAMS } from '@isotherm/codecs/mbus/telegrams'
import { decodeRtu, decodeTcp } from '@isotherm/codecs/modbus/frame'
import type { LineFormat, LineFrame } from '@isotherm/codecs/stream/line-parser'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { FrameContext } from '@isotherm/profiles/decode-by-profile'
import { type CommandTarget, encodeCommand, listRequests } from '@isotherm/profiles/encode-by-profile'
import { type IsReply, isCjtReply, isMbusReply, isModbusReply } from './is-reply.ts'

/** A device on its bus: its profile, and its address in the form that the profile requires. */
export interface BusAddress {
  readonly profile: DeviceProfile
  readonly address: string
}

/** One request of a poll or a command. */
export interface Step {
  readonly bytes: Uint8Array
  readonly isReply: IsReply
  /** Whether a late reply to this earlier request would look like a reply to the present one. */
  readonly isConfusable: (earlier: Uint8Array) => boolean
  /** Whether silence is no failure, because the device need not answer. */
  readonly isOptional: boolean
  /** What the reply itself does not contain. */
  readonly context: FrameContext
  /** A further request that the reply makes necessary, before the next step. */
  readonly next: (reply: LineFrame) => Step | undefined
}

const nothing = (): undefined => undefined
const never = (): boolean => false
const SND_NKE = 0x40

/** Formats of the frames that the devices of a line send. A line without devices receives those that name their sender. */
export function listFormats(profiles: readonly DeviceProfile[]): readonly LineFormat[] {
  if (profiles.length === 0) return ['cjt188', 'mbus']
  const formats = new Set<LineFormat>()
  for (const { bus } of profiles) {
    if (bus.driver === 'modbus' || bus.driver === 'lorawan' || bus.driver === 'properties') continue
    formats.add(bus.driver === 'mbus' ? 'mbus' : 'cjt188')
    // These valves acknowledge with E5, a frame of M-Bus.
    if (bus.driver === 'cjt188' && bus.valve?.form === 'vendor-opening') formats.add('mbus')
  }
  // Modbus RTU has no start byte, so it is tried last.
  for (const { bus } of profiles) if (bus.driver === 'modbus') formats.add(`modbus-${bus.transport}`)
  return [...formats]
}

/** Request for data. Further telegrams of an answer need a request each, with the frame count bit toggled. */
function toDataStep(unit: number, id: string | undefined, fcb: boolean, telegram: number): Step {
  const bytes = encodeReqUd2(unit, fcb)
  return {
    bytes,
    isReply: isMbusReply(bytes, id),
    // Every telegram names its quantities.
    isConfusable: never,
    isOptional: false,
    context: {},
    next(reply) {
      const frame = findMbus(reply.bytes)
      const data = 'ci' in frame ? decodeMbus(frame) : undefined
      const hasMore = data?.kind === 'telegram' && data.moreFollows && telegram < MAX_TELEGRAMS
      return hasMore ? toDataStep(unit, id, !fcb, telegram + 1) : undefined
    },
  }
}

function toMbusStep(bytes: Uint8Array, address: string, isSecondary: boolean, fcb: boolean): Step {
  const id = isSecondary ? address : undefined
  const unit = isSecondary ? mbusAddresses.selected : Number(address)
  const frame = findMbus(bytes)
  if ('function' in frame && frame.function === 'req-ud2') return toDataStep(unit, id, fcb, 1)
  return {
    bytes,
    isReply: isMbusReply(bytes, id),
    isConfusable: never,
    isOptional: bytes[1] === SND_NKE,
    context: {},
    next: nothing,
  }
}

/**
 * Whether a late reply fits another request: a Modbus RTU reply contains the number of registers but not their
 * address.
 */
function isRtuConfusable(bytes: Uint8Array): Step['isConfusable'] {
  const now = decodeRtu(bytes, 'request')
  return (earlier) => {
    const before = decodeRtu(earlier, 'request')
    if (!('pdu' in now) || !('pdu' in before) || now.unit !== before.unit) return false
    const [wanted, former] = [now.pdu, before.pdu]
    if (wanted.kind !== 'read-request' || former.kind !== 'read-request' || wanted.fc !== former.fc)
      return false
    return wanted.count === former.count && wanted.start !== former.start
  }
}

function toStep({ profile: { bus }, address }: BusAddress, bytes: Uint8Array, sequence: number): Step {
  const common = { bytes, isConfusable: never, isOptional: false, context: {}, next: nothing } as const
  switch (bus.driver) {
    case 'cjt188':
      return { ...common, isReply: isCjtReply(bytes) }
    case 'mbus':
      return toMbusStep(bytes, address, bus.addressing === 'secondary', sequence % 2 === 1)
    // Their devices are not polled.
    case 'lorawan':
    case 'properties':
      return { ...common, isReply: never }
    case 'modbus': {
      const sent = bus.transport === 'tcp' ? decodeTcp(bytes, 'request') : decodeRtu(bytes, 'request')
      const start = 'pdu' in sent && sent.pdu.kind === 'read-request' ? sent.pdu.start : undefined
      const context = start === undefined ? {} : { start }
      const isConfusable = bus.transport === 'rtu' ? isRtuConfusable(bytes) : never
      return { ...common, context, isConfusable, isReply: isModbusReply(bytes, bus.transport) }
    }
  }
}

/** Requests of one poll in their order; undefined if the address does not fit the profile. */
export const listPollSteps = (device: BusAddress, sequence: number): readonly Step[] | undefined =>
  listRequests(device.profile, { address: device.address, sequence })?.map((bytes) =>
    toStep(device, bytes, sequence),
  )

/** The request that writes a target; undefined if the profile or the value does not allow it. */
export function toCommandStep(
  device: BusAddress,
  sequence: number,
  target: CommandTarget,
  value: number,
): Step | undefined {
  const bytes = encodeCommand(device.profile, { address: device.address, sequence }, target, value)
  return bytes && toStep(device, bytes, sequence)
}

/** Whether a device refused a request. */
export function isRefusal({ format, bytes }: LineFrame): boolean {
  if (format === 'cjt188') {
    const frame = findCjt(bytes)
    return frame.kind === 'frame' && frame.isRefusal
  }
  if (format !== 'modbus-rtu' && format !== 'modbus-tcp') return false
  const frame = format === 'modbus-tcp' ? decodeTcp(bytes, 'reply') : decodeRtu(bytes, 'reply')
  return 'pdu' in frame && frame.pdu.kind === 'exception'
}
