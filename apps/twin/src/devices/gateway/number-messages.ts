import {
  type ChildReading,
  MAX_CHILDREN,
  type RawFrame,
  type RawMessage,
  type TelemetryMessage,
} from '@isotherm/contract/mqtt'
import type { FieldNode } from './field-gateway.ts'
import { showTime } from './gateway-clock.ts'

/** Items in messages of at most MAX_CHILDREN. */
const inMessages = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_CHILDREN) }, (_, index) =>
    items.slice(index * MAX_CHILDREN, (index + 1) * MAX_CHILDREN),
  )

const toHead = ({ boot, clock }: FieldNode, nowMs: number) =>
  ({ v: 1, boot, ts: showTime(clock, nowMs) }) as const

/** Readings in the next messages of a node. */
export const numberReadings = (
  node: FieldNode,
  readings: readonly ChildReading[],
  nowMs: number,
): TelemetryMessage[] =>
  inMessages(readings).map((d) => ({
    ...toHead(node, nowMs),
    seq: node.telemetrySeq++,
    d,
  }))

/** Frames of the bus in the next such messages; they are numbered by themselves. */
export const numberFrames = (node: FieldNode, frames: readonly RawFrame[], nowMs: number): RawMessage[] =>
  inMessages(frames).map((f) => ({ ...toHead(node, nowMs), seq: node.rawSeq++, f }))
