import { describe, expect, test } from 'vitest'
import { type Placed, toSections, toWidth } from './section-layout.ts'

const above = '集团,公司,东区,一号站,阳光小区'
interface Row extends Placed {
  readonly id: number
}
const row = (id: number, address: string): Row => ({ id, nestaddr: `${above},${address}` })
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)
const toRowSections = (rows: readonly Row[]) => toSections(rows, (each) => each)

describe('cross-section', () => {
  test('stacks storeys by household number, with units side by side and inlets below', () => {
    const [section] = toRowSections([
      row(1, '3号楼,1单元'),
      row(2, '3号楼,1单元,101'),
      row(3, '3号楼,1单元,102'),
      row(4, '3号楼,1单元,1201'),
      row(5, '3号楼,2单元,101室'),
    ])
    expect(section?.units).toEqual(['1单元', '2单元'])
    expect(section && toWidth(section)).toBe(3)
    expect(section?.storeys.map(({ floor, cells }) => [floor, cells.map(idsOf)])).toEqual([
      [12, [[4], []]],
      [1, [[2, 3], [5]]],
      ['inlet', [[1], []]],
    ])
  })

  test('includes a household number without a floor, and a valve of the whole building', () => {
    const [section] = toRowSections([
      row(1, '3号楼,1单元,商铺'),
      row(2, '3号楼,1单元,20260'),
      row(3, '3号楼'),
    ])
    expect(section?.storeys.map(({ floor }) => floor)).toEqual(['elsewhere', 'inlet'])
    expect(section?.storeys.flatMap(({ cells }) => cells.flatMap(idsOf)).toSorted()).toEqual([1, 2, 3])
  })

  test('separates buildings with the same name in two areas and loses no valve', () => {
    const other = { id: 9, nestaddr: '集团,公司,东区,一号站,月光小区,3号楼,1单元' }
    const sections = toRowSections([row(1, '3号楼,1单元'), other, row(2, '3号楼,2单元')])
    expect(sections.map(({ rows }) => idsOf(rows))).toEqual([[1, 2], [9]])
  })
})
