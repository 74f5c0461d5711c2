import type { Field } from '../bytes/field-value.ts'

export type FrameProtocol = 'cjt188' | 'mbus' | 'dlt645' | 'modbus-rtu' | 'modbus-tcp' | 'concentrator'

/** A field with what an M-Bus record says about it beyond its quantity. */
export interface ReportField extends Field {
  /** `maximum`, `minimum` or `error`; absent for the current value. */
  readonly function?: string
  /** Number of the stored value; absent for the current one. */
  readonly storage?: number
  readonly tariff?: number
  readonly subunit?: number
  readonly modifiers?: readonly string[]
}

/** Checksum of a frame. `none`: the format has none. */
export type Checksum =
  | { readonly kind: 'none' }
  | { readonly kind: 'sum' | 'crc'; readonly expected: number; readonly found: number }

/** Where a frame or its data is wrong. */
export interface ProblemPlace {
  /** Offset of the wrong byte in the described bytes; the first is 0. */
  readonly at: number
  /** The byte there, and the only one that the format allows there. */
  readonly found?: number
  readonly expected?: number
  /** Number of bytes that are missing from there on. */
  readonly missing?: number
}

/** What a person wants to know about pasted or recorded bytes. All words are names of texts. */
export interface FrameReport {
  readonly protocol: FrameProtocol
  /** Undefined if request and answer have the same bytes. */
  readonly direction: 'request' | 'reply' | undefined
  /** What the frame does, such as `readData` or `rsp-ud`. */
  readonly action: string
  /** Address on the bus; empty if the frame has none. */
  readonly address: string
  readonly checksum: Checksum
  /** The device refused; its own code as text. */
  readonly refusal?: string
  /** Why the frame, or its data, cannot be read; fields before the problem are right. */
  readonly problem?: string
  readonly place?: ProblemPlace
  readonly fields: readonly ReportField[]
  /** Frames within an upload of a concentrator. */
  readonly inner?: FrameReport
  /** Bytes before and after the frame that belong to no frame. */
  readonly before: number
  readonly after: number
}

export const isRight = (checksum: Checksum): boolean =>
  checksum.kind === 'none' || checksum.expected === checksum.found
