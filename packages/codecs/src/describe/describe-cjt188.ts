import type { Field } from '../bytes/field-value.ts'
import { type CjtData, decodeCjt } from '../cjt188/decode-data.ts'
import type { CjtFrame } from '../cjt188/frame.ts'
import type { CjtOptions } from '../cjt188/layouts.ts'
import { countBefore, toPlace } from './find-place.ts'
import type { FrameReport } from './frame-report.ts'

const textField = (name: string, text: string): Field => ({ name, value: { kind: 'text', text } })
const numberField = (name: string, number: number): Field => ({
  name,
  value: { kind: 'number', text: String(number), number },
})

function listFields(frame: CjtFrame, data: CjtData): Field[] {
  const head = [
    textField('meter-type', `${frame.type.toString(16).toUpperCase()}H`),
    ...('identifier' in data
      ? [textField('identifier', data.identifier), numberField('sequence', data.sequence)]
      : []),
  ]
  if (data.kind === 'values') return [...head, ...data.fields]
  if ('hex' in data) return [...head, { name: 'data', value: { kind: 'bytes', hex: data.hex } }]
  return head
}

/** Offset of the length byte, and of the data behind it. */
const LENGTH = 10
const DATA = 11

/** Where the data is wrong: too short at its length, otherwise at the unknown unit. */
const toOffset = ({ start }: CjtFrame, data: Extract<CjtData, { kind: 'bad' }>): number =>
  start + (data.reason === 'units' ? DATA + data.at : LENGTH)

/** Describes a CJ/T 188 frame field by field. */
export function describeCjt(frame: CjtFrame, all: Uint8Array, options: CjtOptions): FrameReport {
  const data = decodeCjt(frame, options)
  const sum = all[frame.start + frame.length - 2] ?? 0
  return {
    protocol: 'cjt188',
    direction: frame.isReply ? 'reply' : 'request',
    action: frame.function,
    address: frame.address,
    checksum: { kind: 'sum', expected: sum, found: sum },
    ...(data.kind === 'refusal' ? { refusal: data.status } : {}),
    ...(data.kind === 'bad' ? { problem: data.reason, place: toPlace(all, toOffset(frame, data)) } : {}),
    fields: listFields(frame, data),
    before: countBefore(all, frame.start),
    after: all.length - frame.start - frame.length,
  }
}
