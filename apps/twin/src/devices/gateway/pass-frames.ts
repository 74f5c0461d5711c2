import type { RawFrame, RawMessage } from '@isotherm/contract/mqtt'
import { type BusInstant, toBusAddress, toCurrentData } from '../bus/bus-trace.ts'
import { CURRENT_DATA, functions, toAddressReply, toHex, toRefusal } from '../bus/cjt188-frame.ts'
import { type BusRequest, findRequest } from '../bus/cjt188-request.ts'
import type { Child, FieldGateway } from './field-gateway.ts'
import { showTime } from './gateway-clock.ts'
import { numberFrames } from './number-messages.ts'
import { readChild } from './read-child.ts'

type MeterChild = Extract<Child, { kind: 'heat-meter' }>

/** Broadcast address. The answer is only readable from a single meter, because the answers of several collide. */
const EVERY_METER = 'A'.repeat(14)
/** Data identifier 810A, the address. */
const ADDRESS = [0x0a, 0x81] as const
const HEAT_METERS = { from: 0x20, to: 0x29 } as const
/** Largest amount of bytes for the bus at once. */
const MAX_BYTES = 512

const isIdentifier = (
  requested: readonly [number, number],
  [low, high]: readonly [number, number],
): boolean =>
  (requested[0] === low && requested[1] === high) || (requested[0] === high && requested[1] === low)

const isMeter = (child: Child): child is MeterChild => child.kind === 'heat-meter'

/** Answer of a meter to a request; undefined if it is silent. */
function answerOf(
  concentrator: FieldGateway,
  meter: MeterChild,
  { identifier, sequence, control }: BusRequest,
  at: BusInstant,
): RawFrame | undefined {
  const shown = readChild(concentrator, meter, at.simTimeS)
  if (shown === undefined) return undefined
  const head = { address: toBusAddress(meter.serial), identifier, sequence }
  const answer = (bytes: Uint8Array): RawFrame => ({ id: meter.serial, ts: at.ts, hex: toHex(bytes) })
  if (control === functions.readData && isIdentifier(identifier, CURRENT_DATA)) {
    return answer(toCurrentData(head, shown, at))
  }
  if (control === functions.readAddress && isIdentifier(identifier, ADDRESS)) {
    return answer(toAddressReply(head))
  }
  return answer(toRefusal(head, control, 0))
}

/** Answer of the bus to a frame, if any. */
function findBusAnswer(concentrator: FieldGateway, bytes: Uint8Array, at: BusInstant): RawFrame[] {
  const request = bytes.length <= MAX_BYTES ? findRequest(bytes) : undefined
  if (request === undefined || request.type < HEAT_METERS.from || request.type > HEAT_METERS.to) return []
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
    const answers = findBusAnswer(concentrator, bytes, at)
    if (!concentrator.firmware.busTrace || bytes.length === 0) return answers
    return [{ ts: at.ts, dir: 'tx', hex: toHex(bytes) }, ...answers]
  })
  return numberFrames(concentrator, answers, nowMs)
}
