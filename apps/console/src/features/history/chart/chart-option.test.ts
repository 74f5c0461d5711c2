import type { Series } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { describe, expect, test } from 'vitest'
import { NOW, sampleCommand } from '../../../shared/devices/valve-samples.testkit.ts'
import {
  type ChartTheme,
  toChartOption,
  toLabelled,
  toLines,
  toMarkAlign,
  toMarkText,
  toOpacity,
  toPanelBoxes,
  toPanels,
} from './chart-option.ts'

const theme: ChartTheme = {
  text: '#111',
  faint: '#777',
  line: '#ddd',
  surface: '#fff',
  mark: '#a60',
  metricColor: (metric) => `color of ${metric}`,
  deviceColor: (index) => `color ${index}`,
  metricLabel: (metric) => metric,
  deviceLabel: (deviceId) => `valve ${deviceId}`,
  yearBeforeLabel: (label) => `${label}, a year before`,
  replacedLabel: (label, imei) => `${label} of ${imei}`,
  replacedMark: 'replaced',
  alarm: '#c00',
  good: '#080',
}

const curve = (metric: string, deviceId = 1): Series => ({
  deviceId,
  metric,
  points: [[NOW, 40, 0]],
  downsampled: false,
})
const span = { from: NOW - MINUTE_MS, to: NOW + MINUTE_MS }

describe('panels', () => {
  test('metrics of one unit share an axis, each unit has its own', () => {
    expect(toPanels(['valve.opening', 'temp.supply', 'temp.return', 'heat.flow'])).toEqual([
      { unit: '%', metrics: ['valve.opening'] },
      { unit: '°C', metrics: ['temp.supply', 'temp.return'] },
      { unit: 'm³/h', metrics: ['heat.flow'] },
    ])
  })

  test('are stacked inside the chart', () => {
    const boxes = toPanelBoxes(3, 480)
    for (const [index, box] of boxes.entries()) {
      expect(box.top + box.height).toBeLessThan(boxes[index + 1]?.top ?? 480)
    }
  })
})

describe('lines', () => {
  test('of one valve are coloured by metric', () => {
    const lines = toLines(
      {
        curves: [curve('temp.supply'), curve('temp.return')],
        commands: [],
        alarms: [],
        replacedAt: [],
        span,
      },
      theme,
    )
    expect(lines.map((line) => line.color)).toEqual(['color of temp.supply', 'color of temp.return'])
    expect(lines.map((line) => line.panel)).toEqual([0, 0])
  })

  test('of several valves are coloured by valve and dashed by metric', () => {
    const curves = [
      curve('temp.supply'),
      curve('temp.return'),
      curve('temp.supply', 2),
      curve('temp.return', 2),
    ]
    const lines = toLines({ curves, commands: [], alarms: [], replacedAt: [], span }, theme)
    expect(lines.map((line) => `${line.color} ${line.dash}`)).toEqual([
      'color 0 solid',
      'color 0 dashed',
      'color 1 solid',
      'color 1 dashed',
    ])
  })

  test('of the year before have the colour of their metric, their own name and a lower opacity', () => {
    const before = { ...curve('temp.supply'), isYearBefore: true } as const
    const curves = [curve('temp.supply'), before]
    const lines = toLines({ curves, commands: [], alarms: [], replacedAt: [], span }, theme)
    expect(lines.map(({ name, color }) => `${name}: ${color}`)).toEqual([
      'temp.supply: color of temp.supply',
      'temp.supply, a year before: color of temp.supply',
    ])
    const [now = 0, then = 0] = lines.map(toOpacity)
    expect(then).toBeLessThan(now)
  })

  test('of a replaced device continue in the colour of its replacement, paler, with its serial', () => {
    const old = { ...curve('temp.supply', 7), replaced: { by: 1, imei: 'OLD' } }
    const data = { curves: [curve('temp.supply'), old], commands: [], alarms: [], replacedAt: [NOW], span }
    const lines = toLines(data, theme)
    expect(lines.map(({ name, color }) => `${name}: ${color}`)).toEqual([
      'temp.supply: color of temp.supply',
      'temp.supply of OLD: color of temp.supply',
    ])
    const [now = 0, then = 0] = lines.map(toOpacity)
    expect(then).toBeLessThan(now)
    const beside = toLines({ ...data, curves: [...data.curves, curve('temp.supply', 2)] }, theme)
    expect(beside.map(({ name, color }) => `${name}: ${color}`)).toEqual([
      'valve 1 · temp.supply: color 0',
      'valve 1 · temp.supply of OLD: color 0',
      'valve 2 · temp.supply: color 1',
    ])
  })

  test('a metric the registry does not know is left out', () => {
    expect(
      toLines({ curves: [curve('temp.moon')], commands: [], alarms: [], replacedAt: [], span }, theme),
    ).toEqual([])
  })
})

test('commands inside the half-open range are marked once in every panel', () => {
  const inside = sampleCommand({ createdAt: span.from })
  const outside = sampleCommand({ createdAt: span.to })
  const curves = [curve('temp.supply'), curve('temp.return'), curve('heat.flow')]
  const option = toChartOption(
    { curves, commands: [inside, outside], alarms: [], replacedAt: [], span },
    theme,
    400,
  )
  const marked = option.series.slice(curves.length)
  const upAndDown = [{ value: [span.from, 0] }, { value: [span.from, 1] }, { value: [span.from, null] }]
  expect(marked).toMatchObject([
    { xAxisIndex: 0, yAxisIndex: 2, data: upAndDown },
    { xAxisIndex: 1, yAxisIndex: 3, data: upAndDown },
  ])
  expect(option.yAxis.map(({ gridIndex }) => gridIndex)).toEqual([0, 1, 0, 1])
  expect(toMarkText(inside)).toBe('35→60%')
  expect(toMarkText({ ...inside, previousPct: undefined })).toBe('→60%')
})

test('a replacement is marked across all panels, with a text in the first', () => {
  const data = { curves: [curve('temp.supply'), curve('heat.flow')], commands: [], alarms: [], span }
  const { series } = toChartOption({ ...data, replacedAt: [NOW] }, theme, 400)
  const texts = series.slice(2).map(({ data: points }) => JSON.stringify(points).includes('"replaced"'))
  expect(texts).toEqual([true, false])
})

test('alarm marks are in the first panel on their own axis, and the series of the curves keep their indices', () => {
  const alarms = [
    { at: NOW, isBegin: true, text: 'battery low: raised' },
    { at: NOW + 1_000, isBegin: false, text: 'battery low: cleared' },
  ]
  const data = {
    curves: [curve('temp.supply'), curve('heat.flow')],
    commands: [],
    alarms,
    replacedAt: [],
    span,
  }
  const { series, yAxis } = toChartOption(data, theme, 400)
  const marks = series.at(-1)
  expect(yAxis).toHaveLength(3)
  expect(marks).toMatchObject({ xAxisIndex: 0, yAxisIndex: 2 })
  expect(marks?.data).toMatchObject([{ symbol: 'triangle' }, { symbol: 'circle' }])
  const without = toChartOption({ ...data, alarms: [] }, theme, 400)
  expect(series.slice(0, -1).map(({ name }) => name)).toEqual(without.series.map(({ name }) => name))
})

test('a mark too close to the one before has a line but no text', () => {
  const [first, close, far] = [0, 1_000, 60_000].map((off) => sampleCommand({ createdAt: NOW + off }))
  const labelled = toLabelled(
    [far, close, first].flatMap((mark) => mark ?? []),
    span,
  )
  expect([first, close, far].map((mark) => mark && labelled.has(mark))).toEqual([true, false, true])
})

test('the text of a mark stays inside the chart at its edges', () => {
  const span = { from: 0, to: 1_000 }
  expect([0, 500, 1_000].map((at) => toMarkAlign(at, span))).toEqual(['left', 'center', 'right'])
})
