import {
  type ChildReading,
  MAX_CHILDREN,
  type RawFrame,
  type RawMessage,
  type TelemetryMessage,
} from '@isotherm/contract/mqtt'
import type { FieldGateway } from './field-gateway.ts'
import { showTime } from './gateway-clock.ts'

/** Divides items into messages of at most MAX_CHILDREN. */
const inMessages = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_CHILDREN) }, (_, index) =>
    items.slice(index * MAX_CHILDREN, (index + 1) * MAX_CHILDREN),
  )

const toHead = ({ boot, clock }: FieldGateway, nowMs: number) =>
  ({ v: 1, boot, ts: showTime(clock, nowMs) }) as const

/** Readings in the next messages of a gateway. */
export const numberReadings = (
  gateway: FieldGateway,
  readings: readonly ChildReading[],
  nowMs: number,
): TelemetryMessage[] =>
  inMessages(readings).map((d) => ({
    ...toHead(gateway, nowMs),
    seq: gateway.telemetrySeq++,
    d,
  }))

/** Frames of the bus in the next raw messages, which have their own numbers. */
export const numberFrames = (
  gateway: FieldGateway,
  frames: readonly RawFrame[],
  nowMs: number,
): RawMessage[] => inMessages(frames).map((f) => ({ ...toHead(gateway, nowMs), seq: gateway.rawSeq++, f }))
