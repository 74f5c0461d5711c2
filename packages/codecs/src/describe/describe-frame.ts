import { unwrapCtrl } from '../cjt188/concentrator.ts'
import { findCjt } from '../cjt188/frame.ts'
import type { CjtOptions } from '../cjt188/layouts.ts'
import { type DltFrame, decodeDlt, findDlt } from '../dlt645/frame.ts'
import { findMbus } from '../mbus/frame.ts'
import { type Direction, decodeRtu, decodeTcp, type ModbusFrame } from '../modbus/frame.ts'
import { sizeOfPdu } from '../modbus/pdu.ts'
import { describeCjt } from './describe-cjt188.ts'
import { describeMbus } from './describe-mbus.ts'
import { describeModbus } from './describe-modbus.ts'
import { countBefore, type Damaged, type FramedProtocol, findPlace, hasMbusLength } from './find-place.ts'
import type { FrameReport } from './frame-report.ts'

function describeDlt(frame: DltFrame, all: Uint8Array): FrameReport {
  const data = decodeDlt(frame)
  const sum = all[frame.start + frame.length - 2] ?? 0
  return {
    protocol: 'dlt645',
    direction: frame.isReply ? 'reply' : 'request',
    action: frame.function,
    address: frame.address,
    checksum: { kind: 'sum', expected: sum, found: sum },
    ...(data.kind === 'refusal' ? { refusal: String(data.code) } : {}),
    ...(data.kind === 'bad' ? { problem: data.reason } : {}),
    fields: [
      ...('identifier' in data
        ? [{ name: 'identifier', value: { kind: 'text' as const, text: data.identifier } }]
        : []),
      ...('fields' in data ? data.fields : []),
      ...('hex' in data && data.hex !== ''
        ? [{ name: 'data', value: { kind: 'bytes' as const, hex: data.hex } }]
        : []),
    ],
    before: countBefore(all, frame.start),
    after: all.length - frame.start - frame.length,
  }
}

type Decode = (bytes: Uint8Array, direction: Direction) => ModbusFrame | { readonly kind: string }

const isFrame = (frame: ReturnType<Decode>): frame is ModbusFrame => 'pdu' in frame

/** Modbus as a request or as a reply: the bytes fit one of them, or both for a write of one value. */
function findModbus(bytes: Uint8Array, decode: Decode, hint: Direction | undefined): FrameReport | undefined {
  const both = (['request', 'reply'] as const).map((direction) => ({
    direction,
    frame: decode(bytes, direction),
  }))
  const read = both.flatMap(({ direction, frame }) =>
    isFrame(frame) && frame.pdu.kind !== 'bad-pdu' ? [{ direction, frame }] : [],
  )
  const chosen = read.find(({ direction }) => direction === hint) ?? read[0]
  if (chosen !== undefined) {
    const isEqual = read.length === 2 && hint === undefined
    return describeModbus(chosen.frame, bytes, isEqual ? undefined : chosen.direction)
  }
  const [first] = both
  return first !== undefined && isFrame(first.frame) ? describeModbus(first.frame, bytes, hint) : undefined
}

/** Bytes of the length of a Modbus frame with a wrong CRC: a damaged frame, where nothing else fits. */
function findDamagedModbus(bytes: Uint8Array, hint: Direction | undefined): FrameReport | undefined {
  const isLength = ([hint ?? 'request', hint ?? 'reply'] as const).some(
    (direction) => sizeOfPdu(bytes, 1, bytes.length, direction === 'reply') + 3 === bytes.length,
  )
  const failure = decodeRtu(bytes, hint ?? 'reply')
  if (!isLength || failure.kind !== 'bad-crc') return undefined
  return {
    protocol: 'modbus-rtu',
    direction: hint,
    action: 'unknown',
    address: '',
    checksum: { kind: 'crc', expected: failure.expected, found: failure.found },
    problem: 'bad-sum',
    fields: [],
    before: 0,
    after: 0,
  }
}

/** A frame that is damaged but whose format is recognised. */
const describeDamaged = (protocol: FramedProtocol, failure: Damaged, all: Uint8Array): FrameReport => ({
  protocol,
  direction: undefined,
  action: 'unknown',
  address: '',
  checksum:
    failure.kind === 'bad-sum'
      ? { kind: 'sum', expected: failure.expected, found: failure.found }
      : { kind: 'none' },
  problem: failure.kind,
  place: findPlace(protocol, all, failure),
  fields: [],
  before: countBefore(all, failure.start),
  after: 0,
})

/** A report whose place counts from a byte that is `offset` bytes earlier. */
const movePlace = (report: FrameReport, offset: number): FrameReport =>
  report.place === undefined
    ? report
    : { ...report, place: { ...report.place, at: report.place.at + offset } }

export interface DescribeOptions {
  readonly cjt188?: CjtOptions
  /** Which way the frame went, if it is known. */
  readonly direction?: Direction
}

/**
 * Recognises the protocol of bytes by themselves and says what they mean. M-Bus and DL/T 645 have two start bytes at fixed places,
 * so they come before CJ/T 188; Modbus has none and comes last. Undefined if no format fits.
 */
export function describeFrame(bytes: Uint8Array, options: DescribeOptions = {}): FrameReport | undefined {
  const upload = unwrapCtrl(bytes)
  if (upload.kind === 'concentrator') {
    const inner = describeFrame(upload.inner, options)
    const head = upload.length - upload.inner.length
    return {
      protocol: 'concentrator',
      direction: 'reply',
      action: 'upload',
      address: upload.id,
      checksum: { kind: 'none' },
      fields: [],
      before: 0,
      after: bytes.length - upload.length,
      ...(inner === undefined ? {} : { inner: movePlace(inner, head) }),
    }
  }
  const dlt = findDlt(bytes)
  if (dlt.kind === 'frame') return describeDlt(dlt, bytes)
  const cjt = findCjt(bytes)
  const mbus = findMbus(bytes)
  const isMbusFirst = 'length' in mbus && (cjt.kind !== 'frame' || mbus.start < cjt.start)
  if (isMbusFirst) {
    // A short frame may stand by chance within another format; it counts only where it is all there is.
    if (mbus.kind !== 'short' || mbus.length === bytes.length) return describeMbus(mbus, bytes)
  }
  if (cjt.kind === 'frame') return describeCjt(cjt, bytes, options.cjt188 ?? {})
  const modbus =
    findModbus(bytes, decodeRtu, options.direction) ?? findModbus(bytes, decodeTcp, options.direction)
  if (modbus !== undefined) return modbus
  if ('length' in mbus) return describeMbus(mbus, bytes)
  // CJ/T 188 may have a 68 in its address, where M-Bus has its second start byte.
  if (
    mbus.kind !== 'none' &&
    (mbus.kind !== 'bad-length' || cjt.kind === 'none' || hasMbusLength(bytes, mbus.start))
  )
    return describeDamaged('mbus', mbus, bytes)
  if (dlt.kind !== 'none') return describeDamaged('dlt645', dlt, bytes)
  return cjt.kind === 'none'
    ? findDamagedModbus(bytes, options.direction)
    : describeDamaged('cjt188', cjt, bytes)
}
