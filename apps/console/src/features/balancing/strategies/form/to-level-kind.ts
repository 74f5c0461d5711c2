import type { SlotLevel } from '@isotherm/contract/balancing/campaign'

/** Room temperatures at full flow and without flow, °C, for the conversion between flow share and room temperature. */
const ROOM_FULL_C = 20
const ROOM_NONE_C = 10

const round = (value: number, step: number): number => Math.round(value / step) * step

/** Converts a level to another kind with about the same effect. */
export function toLevelKind(level: SlotLevel, kind: SlotLevel['kind']): SlotLevel {
  if (level.kind === kind) return level
  if (level.kind === 'flow')
    return { kind: 'room', roomC: round(ROOM_NONE_C + level.share * (ROOM_FULL_C - ROOM_NONE_C), 0.5) }
  const share = (level.roomC - ROOM_NONE_C) / (ROOM_FULL_C - ROOM_NONE_C)
  return { kind: 'flow', share: round(100 * Math.min(1.5, Math.max(0, share)), 5) / 100 }
}
