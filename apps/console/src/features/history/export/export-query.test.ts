import { skipToken } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { exportCountQuery, isTooLong, toDonePct, toRequest } from './export-query.ts'

test('only a workbook has a maximum number of rows', () => {
  expect(isTooLong('xlsx', 10_485_750)).toBe(false)
  expect(isTooLong('xlsx', 10_485_751)).toBe(true)
  expect(isTooLong('csv', 1e9)).toBe(false)
})

test('the progress is at most 100 %, and 100 % of no rows', () => {
  expect([toDonePct(0, 10), toDonePct(5, 10), toDonePct(12, 10), toDonePct(0, 0)]).toEqual([0, 50, 100, 100])
})

const shown = {
  deviceIds: [1, 2],
  nodes: [],
  kinds: ['valve' as const],
  metrics: [],
  level: 'raw' as const,
  from: 0,
  to: 1,
}

test('the shown curves are exported by device ids, the whole selection by its nodes', () => {
  const offer = { shown, nodes: ['4'] }
  expect(toRequest(offer, 'shown', 'day')).toEqual({ ...shown, level: 'day' })
  expect(toRequest(offer, 'all', 'hour')).toEqual({ ...shown, level: 'hour', deviceIds: [], nodes: ['4'] })
  expect(toRequest({ shown, nodes: [] }, 'all', 'raw')).toMatchObject({ deviceIds: [], nodes: [] })
})

test('a selection that no longer exists exports and counts nothing, not the whole company', () => {
  const request = toRequest({ shown, nodes: undefined }, 'all', 'raw')
  expect(request).toBeUndefined()
  expect(exportCountQuery(request).queryFn).toBe(skipToken)
  expect(toRequest({ shown: { ...shown, deviceIds: [] }, nodes: ['4'] }, 'shown', 'raw')).toBeUndefined()
})
