import type { Direction, ModbusFrame } from '../modbus/frame.ts'
import type { ModbusPdu, ModbusProblem } from '../modbus/pdu.ts'
import { toPlace } from './find-place.ts'
import type { FrameReport, ReportField } from './frame-report.ts'

const number = (name: string, value: number): ReportField => ({
  name,
  value: { kind: 'number', text: String(value), number: value },
})
const words = (name: string, values: readonly (number | boolean)[]): ReportField => ({
  name,
  value: { kind: 'text', text: values.map(Number).join(' ') },
})

const actions: Readonly<Record<number, string>> = {
  1: 'read-coils',
  2: 'read-discrete-inputs',
  3: 'read-holding-registers',
  4: 'read-input-registers',
  5: 'write-coil',
  6: 'write-register',
  15: 'write-coils',
  16: 'write-registers',
  22: 'mask-write',
  23: 'read-write-registers',
}

function listFields(pdu: ModbusPdu): ReportField[] {
  switch (pdu.kind) {
    case 'read-request':
    case 'written':
      return [number('start-address', pdu.start), number('count', pdu.count)]
    case 'coils':
      return [words('coils', pdu.coils)]
    case 'registers':
      return [words('registers', pdu.registers)]
    case 'write-coil':
    case 'write-register':
      return [number('start-address', pdu.address), number('value', Number(pdu.value))]
    case 'write-coils-request':
      return [number('start-address', pdu.start), words('coils', pdu.coils)]
    case 'write-registers-request':
      return [number('start-address', pdu.start), words('registers', pdu.registers)]
    case 'mask-write':
      return [number('start-address', pdu.address), number('and-mask', pdu.and), number('or-mask', pdu.or)]
    case 'read-write-request':
      return [
        number('start-address', pdu.start),
        number('count', pdu.count),
        number('write-address', pdu.writeStart),
        words('registers', pdu.registers),
      ]
    case 'exception':
      return []
  }
}

/** Offsets of the function code behind the unit, and behind the head of TCP. */
const functionAt = { rtu: 1, tcp: 7 } as const

/** An unknown function has a place; the other problems are about several bytes. */
const toProblem = (
  { reason }: ModbusProblem,
  { kind }: ModbusFrame,
  all: Uint8Array,
): Pick<FrameReport, 'problem' | 'place'> =>
  reason === 'unknown-function'
    ? { problem: reason, place: toPlace(all, functionAt[kind]) }
    : { problem: reason }

/** Describes a Modbus frame field by field. `direction` undefined: request and reply have the same bytes. */
export function describeModbus(
  frame: ModbusFrame,
  all: Uint8Array,
  direction: Direction | undefined,
): FrameReport {
  const { pdu } = frame
  const crc = (all.at(-2) ?? 0) | ((all.at(-1) ?? 0) << 8)
  const problem: ModbusProblem | undefined = pdu.kind === 'bad-pdu' ? pdu : undefined
  const head = frame.kind === 'tcp' ? [number('transaction', frame.transaction)] : []
  return {
    protocol: frame.kind === 'tcp' ? 'modbus-tcp' : 'modbus-rtu',
    direction,
    action: pdu.kind === 'bad-pdu' ? 'unknown' : (actions[pdu.fc] ?? 'unknown'),
    address: String(frame.unit),
    checksum: frame.kind === 'tcp' ? { kind: 'none' } : { kind: 'crc', expected: crc, found: crc },
    ...(pdu.kind === 'exception' ? { refusal: pdu.name } : {}),
    ...(problem === undefined ? {} : toProblem(problem, frame, all)),
    fields: pdu.kind === 'bad-pdu' ? head : [...head, ...listFields(pdu)],
    before: 0,
    after: 0,
  }
}
