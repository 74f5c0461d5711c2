import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type RenderOptions, renderPart } from '../../../../shared/testing/render-part.testkit.tsx'
import { sampleCampaign } from '../campaign-samples.testkit.ts'
import { FigureTable } from './figure-table.tsx'

const show = (part: Partial<CampaignDetail>, options?: RenderOptions) =>
  renderPart(<FigureTable campaign={sampleCampaign(part)} />, options)

/** Numbers have a no-break space before their unit. */
const textOf = (element: Element | null): string => (element?.textContent ?? '').replaceAll('\u00a0', ' ')
const cellOf = (name: string, column: string): string =>
  textOf(screen.getByTestId(`figure-${name}`).querySelector(`[data-column="${column}"]`))

const { indices } = sampleCampaign()
const forecast = {
  ...indices,
  best: { sigmaReturnK: 0.3, withinOneK: 0.99 },
  worst: { sigmaReturnK: 0.7, withinOneK: 0.8 },
}
const measured = {
  before: { sigmaReturnK: 1.2, sigmaReturnPerDrop: 0.1 },
  expected: { sigmaReturnK: 0.4 },
  after: { sigmaReturnK: 0.4, sigmaReturnPerDrop: 0.05 },
}

describe('the figures of a campaign', () => {
  test('show P10 to P90 of the predicted spread, the lower figure first', async () => {
    await show({ indices: forecast })
    expect(cellOf('sigmaReturnK', 'expected')).toBe('0.40 KP10–P90：0.30 K – 0.70 K')
    expect(cellOf('withinOneK', 'expected')).toContain('P10–P90：80.0% – 99.0%')
  })

  test.each([
    ['pressures', '41 ± 4 kPaidentified by pressures at buildings'],
    ['assumed', '41 ± 4 kPaassumed: no pressure at a building and no pump power'],
  ] as const)('show the loss of the exchanger with its error and its source: %s', async (from, text) => {
    const { station } = sampleCampaign()
    await show({ station: { ...station, exchanger: { kpa: 41.2, errorKpa: 4.1, from } } }, { language: 'en' })
    expect(textOf(screen.getByTestId('campaign-exchanger'))).toBe(text)
  })

  test('of an earlier version show the one bound that they have', async () => {
    await show({ indices: { ...indices, worst: { sigmaReturnK: 0.7, withinOneK: 0.8 } } }, { language: 'en' })
    expect(cellOf('sigmaReturnK', 'expected')).toContain('at most 0.70 K (90% confidence)')
    expect(cellOf('withinOneK', 'expected')).toContain('at least 80.0% (90% confidence)')
  })

  test.each([
    ['zh', '室外温度：调节前 -8.0 °C，调节后 2.0 °C。', 'σ 的变化已按天气修正', '实测 σ 为 0.60 K'],
    [
      'en',
      'Outdoor temperature -8.0 °C before, 2.0 °C after.',
      'The change of σ is corrected for weather',
      'the measured σ would be 0.60 K',
    ],
  ] as const)(
    'name both weathers, and correct the comparison for them, in %s',
    async (language, ...texts) => {
      const station = { before: { outdoorC: -8 }, expected: {}, after: { outdoorC: 2 } }
      await show({ indices: measured, station }, { language })
      const note = textOf(screen.getByTestId('campaign-weather'))
      for (const text of texts) expect(note).toContain(text)
      expect(cellOf('sigmaReturnK', 'after')).toContain('0.60 K')
      expect(cellOf('outdoor', 'before')).toBe('-8.0 °C')
    },
  )

  test('say that a comparison is not corrected where a supply-return difference is missing', async () => {
    await show({ indices: { ...indices, after: { sigmaReturnK: 0.5 } } })
    expect(screen.getByTestId('campaign-weather').textContent).toContain('σ 的变化未按天气修正')
  })

  test('are not compared with a weather before they are measured', async () => {
    await show({})
    expect(screen.queryByTestId('campaign-weather')).toBeNull()
  })

  test('count the moves of all rounds', async () => {
    await show({ round: 2, moves: 2, movesMade: 7 })
    expect(screen.getByTestId('campaign-moves-made').textContent).toBe('7')
  })
})
