import { expect, test } from 'vitest'
import { sampleCampaign } from '../campaign-samples.testkit.ts'
import { toFigureRows } from './figure-rows.ts'

const rowOf = (name: string, part = {}) => toFigureRows(sampleCampaign(part)).find((row) => row.name === name)

test('shares are in percent, and a change states whether it is an improvement', () => {
  expect(rowOf('withinOneK')).toMatchObject({ before: 50, expected: 95, change: 45, better: true })
  expect(rowOf('sigmaReturnK')?.change).toBeCloseTo(-0.8)
  expect(rowOf('sigmaReturnK')).toMatchObject({ better: true })
  expect(rowOf('pump')).toMatchObject({ better: true })
})

test('figures without a change and neutral figures are not judged', () => {
  expect(rowOf('under18')).not.toHaveProperty('better')
  expect(rowOf('flow')).toMatchObject({ before: 8, expected: 8.2 })
  expect(rowOf('flow')).not.toHaveProperty('better')
})

test('after the measurement, the measured change replaces the predicted one', () => {
  const { indices } = sampleCampaign()
  const worse = { indices: { ...indices, after: { sigmaReturnK: 1.5 } } }
  expect(rowOf('sigmaReturnK', worse)).toMatchObject({ expected: 0.4, after: 1.5, better: false })
})

test('an unknown figure is not shown', () => {
  expect(rowOf('sigmaRoomK')).toBeUndefined()
  expect(rowOf('pump', { station: { before: {}, expected: {} } })).toBeUndefined()
})

test('the duration is shown once the campaign is verified', () => {
  const { indices } = sampleCampaign()
  expect(rowOf('hoursToBalance')).toBeUndefined()
  const after = { sigmaReturnK: 0.5, hoursToBalance: 1.25 }
  expect(rowOf('hoursToBalance', { indices: { ...indices, after } })).toMatchObject({ after: 1.25 })
})

test('the 90% bound is shown until the result is measured', () => {
  const { indices } = sampleCampaign()
  const unsure = { ...indices, worst: { sigmaReturnK: 0.7, withinOneK: 0.8 } }
  expect(rowOf('sigmaReturnK', { indices: unsure })).toMatchObject({ expected: 0.4, worst: 0.7 })
  expect(rowOf('withinOneK', { indices: unsure })).toMatchObject({ worst: 80 })
  const came = { ...unsure, after: { sigmaReturnK: 0.5 } }
  expect(rowOf('sigmaReturnK', { indices: came })).not.toHaveProperty('worst')
  expect(rowOf('sigmaReturnK')).not.toHaveProperty('worst')
})

test('P10 and P90 are shown together, in the unit of the figure', () => {
  const { indices } = sampleCampaign()
  const range = {
    ...indices,
    best: { sigmaReturnK: 0.3, withinOneK: 0.99 },
    worst: { sigmaReturnK: 0.7, withinOneK: 0.8 },
  }
  expect(rowOf('sigmaReturnK', { indices: range })).toMatchObject({ best: 0.3, expected: 0.4, worst: 0.7 })
  expect(rowOf('withinOneK', { indices: range })).toMatchObject({ best: 99, worst: 80 })
})

test('a spread that only shrinks with the weather is no change', () => {
  const indices = {
    before: { sigmaReturnK: 1.2, sigmaReturnPerDrop: 0.1 },
    expected: {},
    after: { sigmaReturnK: 0.8, sigmaReturnPerDrop: 0.1 },
  }
  const row = rowOf('sigmaReturnK', { indices })
  expect(row?.after).toBe(0.8)
  expect(row?.corrected).toBeCloseTo(1.2, 12)
  expect(row?.change).toBeCloseTo(0, 12)
  expect(row).not.toHaveProperty('better')
  expect(rowOf('sigmaReturnPerDrop', { indices })).toMatchObject({ before: 10, after: 10, change: 0 })
})

test('the outdoor temperature before and after is a row', () => {
  const station = { before: { outdoorC: -8 }, expected: { outdoorC: -8 }, after: { outdoorC: 2 } }
  expect(rowOf('outdoor', { station })).toMatchObject({ before: -8, after: 2, change: 10 })
  expect(rowOf('outdoor', { station })).not.toHaveProperty('better')
})
