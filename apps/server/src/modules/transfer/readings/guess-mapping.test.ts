import { expect, test } from 'vitest'
import { guessMapping } from './guess-mapping.ts'

test('a wide table: meter number, time, and columns with units', () => {
  const headings = [
    '小区',
    '表号',
    '抄表时间',
    '累计热量(GJ)',
    '瞬时流量（m3/h）',
    '供水温度',
    '回水温度(℃)',
    '备注',
  ]
  expect(guessMapping(headings, [['东区', '123', '2026-01-02 00:00', '1.5', '0.2', '45', '38', '']])).toEqual(
    {
      form: 'wide',
      device: { column: 1, by: 'meter-no' },
      time: { column: 2, order: 'ymd' },
      values: [
        { column: 3, metric: 'heat.energy', unit: 'GJ' },
        { column: 4, metric: 'heat.flow', unit: 'm³/h' },
        { column: 5, metric: 'temp.supply', unit: '°C' },
        { column: 6, metric: 'temp.return', unit: '°C' },
      ],
    },
  )
})

test('a long name is recognised by its end', () => {
  const path = `${'热力'.repeat(150)}/东区换热站/一号机组/`
  const values = guessMapping(['表号', '时间', `${path}回水温度(℃)`], [['1', '2026-01-02', '38']]).values
  expect(values).toEqual([{ column: 2, metric: 'temp.return', unit: '°C' }])
})

test('a long table: a column names the metric', () => {
  const rows = [
    ['S1', '2026-01-02', '12:00', '室温', '20.5'],
    ['S1', '2026-01-02', '12:00', '湿度', '40'],
  ]
  expect(guessMapping(['serial', 'date', 'time', 'metric', 'value'], rows)).toEqual({
    form: 'long',
    device: { column: 0, by: 'serial' },
    time: { column: 1, order: 'ymd', timeColumn: 2 },
    metricColumn: 3,
    valueColumn: 4,
    values: [{ name: '室温', metric: 'temp.room', unit: '°C' }],
  })
})
