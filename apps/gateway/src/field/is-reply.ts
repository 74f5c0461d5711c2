import { type CjtFrame, findCjt } from '@isotherm/codecs/cjt188/frame'
import { decodeMbus } from '@isotherm/codecs/mbus/decode'
import { findMbus } from '@isotherm/codecs/mbus/frame'
import { decodeRtu, decodeTcp, type ModbusFrame } from '@isotherm/codecs/modbus/frame'
import type { ModbusPdu, ModbusProblem } from '@isotherm/codecs/modbus/pdu'
import type { LineFrame } from '@isotherm/codecs/stream/line-parser'

/** Whether a frame of the line answers a request. */
export type IsReply = (frame: LineFrame) => boolean

const ANY_ADDRESS = 'A'.repeat(14)
/** Position of the sequence number in the data of a CJ/T 188 frame, after the two bytes of the identifier. */
const SEQUENCE = 2

/** Some meters answer with the two bytes of the identifier swapped. */
const hasIdentifierOf = ({ data: [a, b] }: CjtFrame, { data: [c, d] }: CjtFrame): boolean =>
  (a === c && b === d) || (a === d && b === c)

/**
 * CJ/T 188: address, identifier, function and sequence are those of the request. A refusal has no identifier, so its sequence is elsewhere or
 * absent. Some valves acknowledge an order with the single byte E5.
 */
export function isCjtReply(request: Uint8Array): IsReply {
  const sent = findCjt(request)
  if (sent.kind !== 'frame') return () => false
  return ({ format, bytes, isAck }) => {
    if (isAck) return sent.function === 'writeData'
    if (format !== 'cjt188') return false
    const frame = findCjt(bytes)
    if (frame.kind !== 'frame' || !frame.isReply || frame.function !== sent.function) return false
    if (sent.address !== ANY_ADDRESS && frame.address !== sent.address) return false
    return frame.isRefusal || (frame.data[SEQUENCE] === sent.data[SEQUENCE] && hasIdentifierOf(sent, frame))
  }
}

/** M-Bus: E5 answers a reset or data sent to a meter; a telegram answers a request for data. `id`: eight digits of the meter. */
export function isMbusReply(request: Uint8Array, id: string | undefined): IsReply {
  const sent = findMbus(request)
  if (!('function' in sent)) return () => false
  if (sent.function === 'snd-nke' || sent.function === 'snd-ud') return ({ isAck }) => isAck
  return ({ format, bytes, isAck }) => {
    if (format !== 'mbus' || isAck) return false
    const frame = findMbus(bytes)
    if (!('ci' in frame) || frame.function !== 'rsp-ud') return false
    if (id === undefined) return frame.address === sent.address
    const data = decodeMbus(frame)
    if (data.kind === 'fixed') return data.id === id
    return data.kind !== 'telegram' || data.identity === undefined || data.identity.id === id
  }
}

/** Whether a reply fits the content of a request: Modbus on a serial line has no sequence number. */
function answers(sent: ModbusPdu | ModbusProblem, got: ModbusPdu | ModbusProblem): boolean {
  if (sent.kind === 'bad-pdu' || got.kind === 'bad-pdu' || got.fc !== sent.fc) return false
  if (got.kind === 'exception') return true
  switch (sent.kind) {
    case 'read-request':
      return got.kind === 'registers' && got.registers.length === sent.count
    case 'write-register':
      return got.kind === 'write-register' && got.address === sent.address && got.value === sent.value
    case 'write-registers-request':
      return got.kind === 'written' && got.start === sent.start && got.count === sent.registers.length
    default:
      return false
  }
}

const isPair = (sent: ModbusFrame, got: ModbusFrame): boolean => {
  if (sent.unit !== got.unit) return false
  const isOfRequest = sent.kind !== 'tcp' || got.kind !== 'tcp' || sent.transaction === got.transaction
  return isOfRequest && answers(sent.pdu, got.pdu)
}

/** Modbus: unit, function and number of values are those of the request; with TCP also the transaction. */
export function isModbusReply(request: Uint8Array, transport: 'rtu' | 'tcp'): IsReply {
  const decode = transport === 'tcp' ? decodeTcp : decodeRtu
  const sent = decode(request, 'request')
  if (!('pdu' in sent)) return () => false
  return ({ format, bytes }) => {
    if (format !== `modbus-${transport}`) return false
    const got = decode(bytes, 'reply')
    return 'pdu' in got && isPair(sent, got)
  }
}
