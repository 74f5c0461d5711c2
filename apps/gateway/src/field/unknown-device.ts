import { EVERY_METER } from '@isotherm/codecs/cjt188/encode'
import { findCjt } from '@isotherm/codecs/cjt188/frame'
import { decodeMbus } from '@isotherm/codecs/mbus/decode'
import { findMbus } from '@isotherm/codecs/mbus/frame'
import type { LineFrame } from '@isotherm/codecs/stream/line-parser'
import type { FieldDevice, FieldLine } from '@isotherm/contract/gateway-config'
import type { UnregisteredEntry } from '@isotherm/contract/mqtt'
import type { UnknownDevice } from './driver.ts'

/** Names of the sender of a frame, the best first; none if the frame names no sender. */
function listSenders({ format, bytes, isAck }: LineFrame): readonly string[] {
  if (isAck) return []
  if (format === 'cjt188') {
    const frame = findCjt(bytes)
    return frame.kind === 'frame' && frame.isReply && !frame.isRefusal ? [frame.address] : []
  }
  if (format !== 'mbus') return []
  const frame = findMbus(bytes)
  if (!('ci' in frame) || frame.function !== 'rsp-ud') return []
  const data = decodeMbus(frame)
  const primary = String(frame.address)
  const id = data.kind === 'fixed' ? data.id : data.kind === 'telegram' ? data.identity?.id : undefined
  return id === undefined ? [primary] : [id, primary]
}

const toComparable = (address: string): string => address.toUpperCase().replace(/^0+(?=.)/, '')

/** Whether a device that was received on a line is still unknown under other lines: its line is there, without the device. */
export const isUnknownOf = (
  lines: readonly Pick<FieldLine, 'id' | 'devices'>[],
  { line, address }: Pick<UnregisteredEntry, 'line' | 'address'>,
): boolean =>
  lines.some(
    ({ id, devices }) =>
      id === line && !devices.some((device) => toComparable(device.address) === toComparable(address)),
  )

/**
 * Creates a check for frames of devices that a line does not have. A Modbus reply only has a unit number, which does
 * not identify a device. On a line with a device that answers for every address no device is unknown.
 */
export function createUnknownDeviceCheck(
  devices: readonly Pick<FieldDevice, 'address'>[],
): (frame: LineFrame) => Pick<UnknownDevice, 'address' | 'hex'> | undefined {
  const known = new Set(devices.map(({ address }) => toComparable(address)))
  const isOpen = known.has(toComparable(EVERY_METER))
  return (frame) => {
    const senders = listSenders(frame)
    const [address] = senders
    if (address === undefined || isOpen || senders.some((sender) => known.has(toComparable(sender))))
      return undefined
    return { address, hex: Buffer.from(frame.bytes).toString('hex') }
  }
}
