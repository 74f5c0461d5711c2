import { skipToken } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { exportCountQuery, isTooLong, toAsked, toDonePct } from './export-query.ts'

test('only a workbook can be too long', () => {
  expect(isTooLong('xlsx', 10_485_750)).toBe(false)
  expect(isTooLong('xlsx', 10_485_751)).toBe(true)
  expect(isTooLong('csv', 1e9)).toBe(false)
})

test('a count that was too high never shows more than all, and no rows are all of none', () => {
  expect([toDonePct(0, 10), toDonePct(5, 10), toDonePct(12, 10), toDonePct(0, 0)]).toEqual([0, 50, 100, 100])
})

const shown = { deviceIds: [1, 2], nodes: [], metrics: [], level: 'raw' as const, from: 0, to: 1 }

test('what is shown is exported by its valves, all of the selection by its nodes', () => {
  const offer = { shown, nodes: ['4'] }
  expect(toAsked(offer, 'shown', 'day')).toEqual({ ...shown, level: 'day' })
  expect(toAsked(offer, 'all', 'hour')).toEqual({ ...shown, level: 'hour', deviceIds: [], nodes: ['4'] })
  expect(toAsked({ shown, nodes: [] }, 'all', 'raw')).toMatchObject({ deviceIds: [], nodes: [] })
})

test('a selection that is gone is not the whole company: nothing is exported or counted', () => {
  const asked = toAsked({ shown, nodes: undefined }, 'all', 'raw')
  expect(asked).toBeUndefined()
  expect(exportCountQuery(asked).queryFn).toBe(skipToken)
  expect(toAsked({ shown: { ...shown, deviceIds: [] }, nodes: ['4'] }, 'shown', 'raw')).toBeUndefined()
})
