import {
  type CurveKind,
  type CurvePoint,
  characteristicRanges,
  curvePoint,
  findCurveFault,
  type ValveCharacteristic,
} from '@isotherm/contract/valve-characteristic'
import type { Cells, Column } from './columns.ts'
import { RowFault, readNumber, readWord } from './read-cells.ts'
import { findCurve } from './texts.ts'

/** The columns of a characteristic. Together they state one; `curve` is its kind. */
export const characteristicColumns = ['curve', 'kvsM3H', 'rangeability', 'curvePoints'] as const

/** The columns beside `curve` that each kind needs. It has no others. */
const columnsOf = {
  'equal-percentage': ['kvsM3H', 'rangeability'],
  linear: ['kvsM3H'],
  'quick-opening': ['kvsM3H'],
  measured: ['curvePoints'],
} as const satisfies Record<CurveKind, readonly Column[]>

function requireNumber(cells: Cells, column: 'kvsM3H' | 'rangeability'): number {
  const number = readNumber(cells, column, characteristicRanges[column])
  if (number === null) throw new RowFault('row.missing', { column })
  return number
}

/** Points written as `0:0.1; 50:4; 100:16`: openings in %, flow coefficients in m³/h. */
function readPoints(cells: Cells): CurvePoint[] {
  const text = cells.curvePoints
  if (text === undefined) throw new RowFault('row.missing', { column: 'curvePoints' })
  const items = text.split(/[;；]/).filter((item) => item.trim() !== '')
  const points = items.map((item) => {
    const [, openingPct, kvM3H] = /^\s*(\d+)\s*%?\s*[:：]\s*(\d+(?:\.\d+)?)\s*$/.exec(item) ?? []
    const point = curvePoint.safeParse({ openingPct: Number(openingPct), kvM3H: Number(kvM3H) })
    if (!point.success) throw new RowFault('row.bad-points', { column: 'curvePoints' })
    return point.data
  })
  const fault = findCurveFault(points)
  if (fault) throw new RowFault('device.bad-curve', { fault })
  return points
}

/** Reads the stated characteristic of a valve; null if all of its columns are empty. Throws RowFault. */
export function readCharacteristic(cells: Cells): ValveCharacteristic | null {
  const kind = readWord(cells, 'curve', findCurve)
  const needed: readonly Column[] = kind === null ? [] : columnsOf[kind]
  const surplus = characteristicColumns.find(
    (column) => column !== 'curve' && cells[column] !== undefined && !needed.includes(column),
  )
  if (surplus && kind === null) throw new RowFault('row.missing', { column: 'curve' })
  if (surplus) throw new RowFault('row.wrong-curve', { column: surplus })
  if (kind === null) return null
  if (kind === 'measured') return { kind, points: readPoints(cells) }
  const kvsM3H = requireNumber(cells, 'kvsM3H')
  return kind === 'equal-percentage'
    ? { kind, kvsM3H, rangeability: requireNumber(cells, 'rangeability') }
    : { kind, kvsM3H }
}
