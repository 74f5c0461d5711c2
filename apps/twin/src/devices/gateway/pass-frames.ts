import { toHex } from '@isotherm/codecs/bytes/hex'
import { type CjtData, decodeCjt } from '@isotherm/codecs/cjt188/decode-data'
import {
  type CjtTarget,
  EVERY_METER,
  encodeCjtAddressReply,
  encodeCjtRefusal,
} from '@isotherm/codecs/cjt188/encode'
import { type CjtFrame, findCjt } from '@isotherm/codecs/cjt188/frame'
import type { RawFrame, RawMessage } from '@isotherm/contract/mqtt'
import { type BusInstant, toBusAddress, toCurrentData } from '../bus/bus-trace.ts'
import type { Child, FieldGateway } from './field-gateway.ts'
import { showTime } from './gateway-clock.ts'
import { numberFrames } from './number-messages.ts'
import { readChild } from './read-child.ts'

type MeterChild = Extract<Child, { kind: 'heat-meter' }>

/** Largest amount of bytes for the bus at once. */
const MAX_BYTES = 512

const isMeter = (child: Child): child is MeterChild => child.kind === 'heat-meter'

/** A request with its data identifier, which a meter repeats in its answer. */
type BusRequest = Pick<CjtFrame, 'address' | 'control' | 'function'> &
  Extract<CjtData, { readonly identifier: string }>

/** The first request to heat meters among the bytes of a bus. */
function findRequest(bytes: Uint8Array): BusRequest | undefined {
  const frame = findCjt(bytes)
  if (frame.kind !== 'frame' || frame.isReply || frame.meterKind !== 'heat') return undefined
  const data = decodeCjt(frame)
  return 'identifier' in data
    ? { ...data, address: frame.address, control: frame.control, function: frame.function }
    : undefined
}

/** Answer of a meter to a request; undefined if it is silent. */
function answerOf(
  concentrator: FieldGateway,
  meter: MeterChild,
  request: BusRequest,
  at: BusInstant,
): RawFrame | undefined {
  const shown = readChild(concentrator, meter, at.simTimeS)
  if (shown === undefined) return undefined
  const { order, sequence, identifier } = request
  const target: CjtTarget = { address: toBusAddress(meter.serial), order, sequence }
  const answer = (bytes: Uint8Array): RawFrame => ({ id: meter.serial, ts: at.ts, hex: toHex(bytes) })
  if (request.function === 'readData' && identifier === '901F')
    return answer(toCurrentData(target, shown, at))
  if (request.function === 'readAddress' && identifier === '810A')
    return answer(encodeCjtAddressReply(target))
  return answer(encodeCjtRefusal(target, request.control, 0))
}

/** Answer of the bus to a frame, if any. A request to every meter has one only if a single meter is on the bus: several collide. */
function findBusAnswer(concentrator: FieldGateway, bytes: Uint8Array, at: BusInstant): RawFrame[] {
  const request = bytes.length <= MAX_BYTES ? findRequest(bytes) : undefined
  if (request === undefined) return []
  const { address } = request
  const answers = concentrator.children
    .filter(isMeter)
    .filter(({ serial }) => address === EVERY_METER || address === toBusAddress(serial))
    .flatMap((meter) => answerOf(concentrator, meter, request, at) ?? [])
  return answers.length === 1 ? answers : []
}

/**
 * Sends frames from down/raw to the bus of the heat meters, one after the other, and returns the answers as messages for
 * up/raw. The concentrator does not parse them; a frame without an answer is not reported.
 */
export function passFrames(
  concentrator: FieldGateway,
  frames: readonly Uint8Array[],
  nowMs: number,
  simTimeS: number,
): RawMessage[] {
  const at = { ts: showTime(concentrator.clock, nowMs), simTimeS }
  const answers = frames.flatMap((bytes): RawFrame[] => {
    const found = findBusAnswer(concentrator, bytes, at)
    if (!concentrator.firmware.busTrace || bytes.length === 0) return found
    return [{ ts: at.ts, dir: 'tx', hex: toHex(bytes) }, ...found]
  })
  return numberFrames(concentrator, answers, nowMs)
}
