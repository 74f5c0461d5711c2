import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import { useCallback } from 'react'
import { withUnit } from '../../../../shared/format/numbers.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { toAmountFill, toFill, toShare } from '../../../../shared/section/heat-scale.ts'

/** Range of the room colour scale, °C. */
const ROOM_SCALE = { low: 8, high: 24 } as const

/** Colour of a level: amount colours for flow, cold to warm for rooms. */
export const toLevelFill = (level: SlotLevel): string =>
  level.kind === 'flow' ? toAmountFill(Math.min(1, level.share)) : toFill(toShare(level.roomC, ROOM_SCALE))

/** Writes a level with its unit: 60 %, 20 °C. */
export function useLevelText(): (level: SlotLevel) => string {
  const format = useFormat()
  return useCallback(
    (level) =>
      level.kind === 'flow'
        ? withUnit(format.number(100 * level.share, 0), '%')
        : withUnit(format.number(level.roomC, Number.isInteger(level.roomC) ? 0 : 1), '°C'),
    [format],
  )
}
