import { HOUR_MS } from '@isotherm/kernel/durations'
import { describe, expect, test } from 'vitest'
import {
  NOW,
  sampleCommand,
  sampleDevice,
  sampleState,
} from '../../../shared/devices/valve-samples.testkit.ts'
import { applyRowQuery, type RowQuery, searchRows } from './row-query.ts'
import type { ValveRow } from './valve-row.ts'

const everything: RowQuery = { text: '', filter: 'all', sort: 'address', descending: false }

const row = (id: number, over: Partial<ValveRow> = {}): ValveRow => ({
  device: sampleDevice({ id, imei: `imei-${id}`, nestaddr: `集团,${id}号楼,1单元` }),
  state: sampleState({ deviceId: id }),
  command: undefined,
  hold: undefined,
  ...over,
})

const idsOf = (rows: readonly ValveRow[]) => rows.map(({ device }) => device.id)
const cold = row(1, { state: sampleState({ metrics: { 'temp.return': 31 } }) })
const warm = row(2, { state: sampleState({ metrics: { 'temp.return': 42 } }) })
const silent = row(3, { state: undefined })
const rows = [warm, silent, cold]

describe('sorting', () => {
  test('without a sort keeps the order of the tree', () => {
    expect(idsOf(applyRowQuery(rows, everything, NOW))).toEqual([2, 3, 1])
  })

  test('rows without the value come last in either direction', () => {
    const query: RowQuery = { ...everything, sort: 'return' }
    expect(idsOf(applyRowQuery(rows, query, NOW))).toEqual([1, 2, 3])
    expect(idsOf(applyRowQuery(rows, { ...query, descending: true }, NOW))).toEqual([2, 1, 3])
  })

  test('rows of equal value keep the order of the tree', () => {
    const equal = [row(5), row(4), row(6)]
    expect(idsOf(applyRowQuery(equal, { ...everything, sort: 'return' }, NOW))).toEqual([5, 4, 6])
  })
})

describe('filtering', () => {
  test('every word must occur in address, name or serial', () => {
    expect(idsOf(applyRowQuery(rows, { ...everything, text: '2号楼 IMEI-2' }, NOW))).toEqual([2])
    expect(applyRowQuery(rows, { ...everything, text: '2号楼 imei-1' }, NOW)).toEqual([])
  })

  test('a search alone finds rows of every state, in the order of the tree', () => {
    expect(idsOf(searchRows(rows, ' 号楼 '))).toEqual([2, 3, 1])
    expect(idsOf(searchRows(rows, '3号楼'))).toEqual([3])
  })

  test('the filter stale includes valves that never reported, live does not', () => {
    const old = row(7, { state: sampleState({ ts: NOW - HOUR_MS }) })
    const all = [...rows, old]
    expect(idsOf(applyRowQuery(all, { ...everything, filter: 'stale' }, NOW))).toEqual([3, 7])
    expect(idsOf(applyRowQuery(all, { ...everything, filter: 'live' }, NOW))).toEqual([2, 1])
  })

  test('the filter pending shows the valves with a command under way', () => {
    const moving = row(8, { command: sampleCommand({ deviceId: 8, state: 'accepted' }) })
    const settled = row(9, { command: sampleCommand({ deviceId: 9, state: 'confirmed' }) })
    expect(idsOf(applyRowQuery([moving, settled, cold], { ...everything, filter: 'pending' }, NOW))).toEqual([
      8,
    ])
  })
})
