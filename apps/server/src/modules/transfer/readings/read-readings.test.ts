import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { expect, test } from 'vitest'
import { createTimeZone } from '../../../platform/time-zone.ts'
import { createReadRow } from './read-readings.ts'

const mapping: ReadingMapping = {
  encoding: 'utf-8',
  delimiter: ',',
  headingRow: 1,
  headings: [],
  device: { column: 0, by: 'serial' },
  time: { column: 1, order: 'ymd' },
  timeZone: 'UTC',
  form: 'wide',
  values: [{ column: 2, metric: 'temp.room', unit: '°C' }],
  isEstimated: false,
}

/** Reads one value of a row. */
function read(text: string, delimiter: ReadingMapping['delimiter'] = ',') {
  const cells = new Map(['S1', '2026-01-02 00:00', text].entries())
  const outcome = createReadRow({ ...mapping, delimiter }, createTimeZone('UTC'))({ number: 2, cells })
  if ('fault' in outcome) throw new Error(outcome.fault.code)
  return outcome.values[0]?.value ?? outcome.faults[0]
}

test('the start of a text that is no number does not end in half of a character', () => {
  expect(read(`${'x'.repeat(59)}𠮷`)).toEqual({
    code: 'reading.not-a-number',
    params: { value: `${'x'.repeat(59)}\ufffd` },
  })
})

const refused = (value: string) => ({ code: 'reading.not-a-number', params: { value } })

test.each([
  [',', '1,234', 1_234],
  [',', '-1,234,567.5', -1_234_567.5],
  [',', '0,500', refused('0,500')],
  [',', '21,5', refused('21,5')],
  ['\t', '1,234', 1_234],
  [';', '21,5', 21.5],
  [';', '0,500', 0.5],
  [';', '-1,234', -1.234],
  [';', '1,5e-3', 0.0015],
  [';', '21.5', 21.5],
  [';', '1.234,5', refused('1.234,5')],
  [';', '1,234,567', refused('1,234,567')],
] as const)('in a file with "%s" between columns, %s is %o', (delimiter, text, expected) => {
  expect(read(text, delimiter)).toEqual(expected)
})
