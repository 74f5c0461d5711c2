import { toHex } from '../bytes/hex.ts'
import { decodeMbus, type MbusData } from '../mbus/decode.ts'
import type { MbusFrame } from '../mbus/frame.ts'
import type { MbusIdentity, MbusState } from '../mbus/header.ts'
import type { MbusRecord } from '../mbus/records.ts'
import type { SecondaryAddress } from '../mbus/secondary-address.ts'
import { countBefore, toPlace } from './find-place.ts'
import type { FrameReport, ReportField } from './frame-report.ts'

const text = (name: string, value: string): ReportField => ({ name, value: { kind: 'text', text: value } })
const code = (name: string, value: string): ReportField => ({ name, value: { kind: 'code', code: value } })
const number = (name: string, value: number): ReportField => ({
  name,
  value: { kind: 'number', text: String(value), number: value },
})

function toField(record: MbusRecord): ReportField {
  const { quantity, value, unit, storage, tariff, subunit, modifiers } = record
  return {
    name: quantity,
    value,
    ...(unit === undefined ? {} : { unit }),
    ...(record.function === 'instantaneous' ? {} : { function: record.function }),
    ...(storage === 0 ? {} : { storage }),
    ...(tariff === 0 ? {} : { tariff }),
    ...(subunit === 0 ? {} : { subunit }),
    ...(modifiers.length === 0 ? {} : { modifiers }),
  }
}

const listIdentity = (identity: MbusIdentity | undefined): ReportField[] =>
  identity === undefined
    ? []
    : [
        text('meter-id', identity.id),
        text('manufacturer', identity.manufacturer),
        number('version', identity.version),
        code('medium', identity.mediumName),
      ]

const listState = (state: MbusState | undefined): ReportField[] =>
  state === undefined
    ? []
    : [
        number('access-number', state.accessNumber),
        ...(state.statusNames.length === 0
          ? [code('device-status', 'no-error')]
          : state.statusNames.map((name) => code('device-status', name))),
      ]

const listPattern = ({ id, manufacturer, version, medium }: SecondaryAddress): ReportField[] => [
  text('meter-id', id),
  ...(manufacturer === undefined ? [] : [text('manufacturer', manufacturer)]),
  ...(version === undefined ? [] : [number('version', version)]),
  ...(medium === undefined ? [] : [number('medium', medium)]),
]

function listFields(data: MbusData): ReportField[] {
  switch (data.kind) {
    case 'telegram':
    case 'damaged':
      return [
        ...listIdentity(data.identity),
        ...listState(data.state),
        ...data.records.map(toField),
        ...(data.manufacturerData === undefined || data.manufacturerData.length === 0
          ? []
          : [
              {
                name: 'manufacturer-data',
                value: { kind: 'bytes' as const, hex: toHex(data.manufacturerData) },
              },
            ]),
        ...(data.moreFollows ? [code('more-follows', 'yes')] : []),
      ]
    case 'encrypted':
      return [...listIdentity(data.identity), ...listState(data.state), number('encryption-mode', data.mode)]
    case 'fixed':
      return [
        text('meter-id', data.id),
        code('medium', data.mediumName),
        number('access-number', data.accessNumber),
        ...data.counters.map(({ quantity, unit, value, isStored }) => ({
          name: quantity,
          value,
          ...(unit === undefined ? {} : { unit }),
          ...(isStored ? { storage: 1 } : {}),
        })),
      ]
    case 'alarm':
      return [number('alarm', data.code)]
    case 'select':
      return listPattern(data.address)
    case 'baud-rate':
      return [number('baud-rate', data.baud)]
    case 'unsupported':
      return [{ name: 'data', value: { kind: 'bytes', hex: data.hex } }]
    default:
      return []
  }
}

/** The action of a frame: that of its application layer where it has one of its own, otherwise that of the link. */
function toAction(frame: MbusFrame, data: MbusData): string {
  if (frame.kind === 'ack') return 'ack'
  const own = ['select', 'reset', 'baud-rate', 'synchronise', 'alarm']
  return own.includes(data.kind) ? data.kind : frame.function
}

/** Offset of the data behind the CI field of a long frame. */
const DATA = 7

/** Describes an M-Bus frame field by field. `all`: the bytes in which it was found. */
export function describeMbus(frame: MbusFrame, all: Uint8Array): FrameReport {
  const data = decodeMbus(frame)
  const sum = all[frame.start + frame.length - 2] ?? 0
  return {
    protocol: 'mbus',
    direction: frame.kind === 'ack' || !frame.isRequest ? 'reply' : 'request',
    action: toAction(frame, data),
    address: frame.kind === 'ack' ? '' : String(frame.address),
    checksum: frame.kind === 'ack' ? { kind: 'none' } : { kind: 'sum', expected: sum, found: sum },
    ...(data.kind === 'device-error' ? { refusal: data.name } : {}),
    ...(data.kind === 'damaged' && data.problem !== undefined
      ? { problem: data.problem.reason, place: toPlace(all, frame.start + DATA + data.problem.at) }
      : {}),
    ...(data.kind === 'encrypted' ? { problem: 'encrypted' } : {}),
    ...(data.kind === 'unsupported' ? { problem: 'unsupported-ci' } : {}),
    fields: listFields(data),
    before: countBefore(all, frame.start),
    after: all.length - frame.start - frame.length,
  }
}
