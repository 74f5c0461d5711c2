import type { Field } from '../bytes/field-value.ts'
import { type CjtData, decodeCjt } from '../cjt188/decode-data.ts'
import type { CjtFrame } from '../cjt188/frame.ts'
import type { CjtOptions } from '../cjt188/layouts.ts'
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
  if (data.kind === 'unknown') return [...head, { name: 'data', value: { kind: 'bytes', hex: data.hex } }]
  return head
}

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
    ...(data.kind === 'bad' ? { problem: data.reason } : {}),
    fields: listFields(frame, data),
    before: frame.start - frame.preamble,
    after: all.length - frame.start - frame.length,
  }
}
