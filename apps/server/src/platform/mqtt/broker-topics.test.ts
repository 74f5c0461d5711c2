import { expect, test } from 'vitest'
import { toCell } from '../config/cell.ts'
import { listUpFilters, toReplicaTopic } from './broker-topics.ts'

test('a server of some companies subscribes to their messages, in a group of its own', () => {
  const cell = toCell(['east', 'north'])
  const filters = listUpFilters(cell, 'ingest')
  expect(filters).toContain(`$share/ingest-${cell.name}/hx/v1/east/+/up/telemetry`)
  expect(filters).toContain('hx/v1/north/+/up/birth')
  expect(filters.filter((filter) => filter.includes('/+/+/'))).toEqual([])
  expect(listUpFilters(cell, undefined)).toContain('hx/v1/north/+/up/telemetry')
})

test('a server of all companies subscribes as before', () => {
  const filters = listUpFilters(undefined, 'ingest')
  expect(filters).toContain('$share/ingest/hx/v1/+/+/up/telemetry')
  expect(filters).toContain('hx/v1/+/+/up/birth')
  expect(filters).toHaveLength(7)
  expect(toReplicaTopic(undefined)).toBe('isotherm/v1/replicas')
})

test('servers of the same companies share group and topic, others do not', () => {
  expect(toReplicaTopic(toCell(['east', 'north']))).toBe(toReplicaTopic(toCell(['east', 'north'])))
  expect(toReplicaTopic(toCell(['east-north']))).not.toBe(toReplicaTopic(toCell(['east', 'north'])))
})
