import {
  type CjtAddress,
  EVERY_METER,
  encodeCjtHeatReply,
  encodeCjtValveReply,
  toCjtAddress,
} from '@isotherm/codecs/cjt188/encode'
import { type CjtFrame, findCjt } from '@isotherm/codecs/cjt188/frame'
import { readIdentifier } from '@isotherm/codecs/cjt188/identifiers'
import { encodeRspUd, mbusAck } from '@isotherm/codecs/mbus/encode'
import { findMbus, mbusAddresses } from '@isotherm/codecs/mbus/frame'
import { isSelected, readSecondaryAddress } from '@isotherm/codecs/mbus/secondary-address'
import { encodeRtu } from '@isotherm/codecs/modbus/encode'
import { decodeRtu } from '@isotherm/codecs/modbus/frame'

/** A device on a bus: answers the requests that are for it. */
export interface SimulatedDevice {
  readonly answer: (request: Uint8Array) => Uint8Array | undefined
}

const VALVE = 0xa017
const CURRENT = 0x901f
const OPEN = 0x55

/** A request for an address, or for every meter. */
function findRequest(bytes: Uint8Array, address: string): CjtFrame | undefined {
  const frame = findCjt(bytes)
  if (frame.kind !== 'frame' || frame.isReply) return undefined
  return frame.address === address || frame.address === EVERY_METER ? frame : undefined
}

/**
 * The answer of a bus to a request. Several devices do not answer at the same instant, so each destroys the bytes of the others; only
 * acknowledgements of one byte survive.
 */
export function answerOnBus(
  devices: readonly SimulatedDevice[],
  request: Uint8Array,
): Uint8Array | undefined {
  const [first, ...others] = devices.flatMap((device) => device.answer(request) ?? [])
  return (
    first && others.reduce((sum, answer) => sum.map((byte, at) => byte & (answer[at - 1] ?? 0xff)), first)
  )
}

/**
 * A CJ/T 188 heat meter with a valve. Each answer shows 1 kWh more than the one before, so a test knows which answers arrived. `isOpen`
 * is the state of its valve.
 */
export function simulateCjtMeter(text: string, firstKwh = 0) {
  const address: CjtAddress | undefined = toCjtAddress(text)
  if (address === undefined) throw new Error(`${text} is no address`)
  const state = { energyKwh: firstKwh, isOpen: true, writes: [] as number[] }
  const device: SimulatedDevice = {
    answer(bytes) {
      const frame = findRequest(bytes, address)
      if (frame === undefined) return undefined
      const { identifier, order } = readIdentifier(frame.data[0] ?? 0, frame.data[1] ?? 0)
      const target = { address, order, sequence: frame.data[2] ?? 0 }
      if (identifier === VALVE) {
        state.isOpen = frame.data[3] === OPEN
        state.writes.push(state.isOpen ? 100 : 0)
        return encodeCjtValveReply(target, state.isOpen ? 0 : 0x0100)
      }
      if (identifier !== CURRENT) return undefined
      state.energyKwh++
      return encodeCjtHeatReply(target, {
        settlementKwh: 100,
        energyKwh: state.energyKwh,
        powerKw: 9.5,
        flowM3h: 0.8123,
        volumeM3: 99.5,
        supplyTempC: 48.25,
        returnTempC: 38.1,
        hours: 4321,
        clockMs: 1_767_882_600_000,
        zoneMs: 0,
        status: state.isOpen ? 0 : 0x0100,
      })
    },
  }
  return { ...device, state }
}

/**
 * An M-Bus heat meter that answers to its secondary and its primary address, in two telegrams. As many real meters it stays selected when
 * another one is selected, until it is reset.
 */
export function simulateMbusMeter(id: string, primary = 1) {
  const identity = { id, manufacturer: 'KAM', version: 1, medium: 4, mediumName: '' }
  const state = {
    energyKwh: 0,
    isSelected: false,
    accessNumber: 0,
    fcb: undefined as boolean | undefined,
    telegram: 0,
  }
  const telegrams = [
    () => [{ vib: [0x06], bytes: 4, whole: ++state.energyKwh }] as const,
    () =>
      [
        { vib: [0x5a], bytes: 2, whole: 482 },
        { vib: [0x5e], bytes: 2, whole: 381 },
      ] as const,
  ]
  const device: SimulatedDevice = {
    answer(bytes) {
      const frame = findMbus(bytes)
      if (!('function' in frame) || !frame.isRequest) return undefined
      const isPrimary = frame.address === primary
      if (frame.function === 'snd-nke') {
        if (isPrimary) {
          Object.assign(state, { telegram: 0, fcb: undefined })
          return mbusAck()
        }
        if (frame.address !== mbusAddresses.selected) return undefined
        const wasSelected = state.isSelected
        Object.assign(state, { isSelected: false, telegram: 0, fcb: undefined })
        return wasSelected ? mbusAck() : undefined
      }
      if ('ci' in frame && frame.ci === 0x52) {
        const pattern = readSecondaryAddress(frame.data, false)
        if (pattern === undefined || !isSelected(pattern, identity)) return undefined
        state.isSelected = true
        return mbusAck()
      }
      const isMeant = isPrimary || (frame.address === mbusAddresses.selected && state.isSelected)
      if (frame.function !== 'req-ud2' || !isMeant) return undefined
      // A toggled bit requests the next telegram, the same bit the last one again.
      if (state.fcb !== undefined && state.fcb !== frame.fcb)
        state.telegram = (state.telegram + 1) % telegrams.length
      state.fcb = frame.fcb
      state.accessNumber = (state.accessNumber + 1) & 0xff
      const records = telegrams[state.telegram]?.() ?? []
      return encodeRspUd(primary, identity, state.accessNumber, records, state.telegram === 0)
    },
  }
  return { ...device, state }
}

/** A Modbus RTU device with holding registers; `travel` runs after each write. */
export function simulateRtuDevice(unit: number, registers: number[], travel?: (registers: number[]) => void) {
  const state = { registers, writes: [] as number[], reads: 0 }
  const device: SimulatedDevice = {
    answer(bytes) {
      const frame = decodeRtu(bytes, 'request')
      if (!('pdu' in frame) || frame.unit !== unit || frame.pdu.kind === 'bad-pdu') return undefined
      const { pdu } = frame
      if (pdu.kind === 'read-request' && (pdu.fc === 3 || pdu.fc === 4)) {
        state.reads++
        const read = Array.from({ length: pdu.count }, (_, at) => registers[pdu.start + at] ?? 0)
        return encodeRtu(unit, { kind: 'registers', fc: pdu.fc, registers: read })
      }
      if (pdu.kind !== 'write-register')
        return encodeRtu(unit, { kind: 'exception', fc: pdu.fc, code: 1, name: '' })
      registers[pdu.address] = pdu.value
      state.writes.push(pdu.value)
      travel?.(registers)
      return encodeRtu(unit, pdu)
    },
  }
  return { ...device, state }
}
