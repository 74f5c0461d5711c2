import type { HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'
import { getHeatSaving, setEnergyPrice } from '@isotherm/contract/endpoints/control/savings'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import SavingPanel from './saving-panel.tsx'
import { knownResult, sampleSaving } from './saving-samples.testkit.ts'

// The chart draws on a canvas, which this environment does not have.
vi.mock('./saving-chart.tsx', () => ({ default: () => <div data-testid="saving-chart" /> }))

async function show(part: Partial<HeatSavingAnswer> = {}, options?: RenderOptions) {
  const api = startFakeApi()
  api.answer(getHeatSaving, sampleSaving(part))
  const view = await renderPart(<SavingPanel deviceId={7} />, options)
  await screen.findByTestId('saving-panel')
  return { api, ...view }
}
const textOf = (testId: string): string =>
  (screen.getByTestId(testId).textContent ?? '').replaceAll('\u00a0', ' ')

describe('what a station saved', () => {
  test('is shown in GJ, kWh and per cent, each with its interval', async () => {
    await show()
    expect(textOf('saving-gj')).toContain('129.6 GJ')
    expect(textOf('saving-gj')).toContain('90% 区间：108.0 至 151.2 GJ')
    expect(textOf('saving-kwh')).toContain('36,000 kWh')
    expect(textOf('saving-share')).toContain('9.0%')
    expect(textOf('saving-panel')).toContain('实测：换热站热量表的累计值')
    expect(screen.queryByTestId('saving-poor')).toBeNull()
    expect(screen.queryByTestId('saving-unproven')).toBeNull()
    expect(await screen.findByTestId('saving-chart')).toBeTruthy()
  })

  test('is shown as money by the price, and without a price with a hint to enter one', async () => {
    const view = await show({ prices: { yuanPerGj: 45 } })
    expect(textOf('saving-money')).toContain('5,832 元')
    expect(textOf('saving-money')).toContain('4,860 至 6,804 元')
    view.unmount()
    await show({}, { language: 'en' })
    expect(textOf('saving-money')).toContain('Shown once a heat price is set')
  })

  test('names the compared periods, and the number of omitted days by reason', async () => {
    await show({}, { language: 'en' })
    expect(textOf('saving-days')).toContain('Before and after the first balance of this station on')
    expect(textOf('saving-days')).toContain(
      'Baseline: 2025-11-30 to 2026-11-29, days used: 100. Days left out: without heat readings 2, implausible heat 1, outside the heating season 245.',
    )
    expect(textOf('saving-days')).toContain('After: 2026-12-01 to 2027-01-10, days used: 40.')
  })

  test('comes with a warning if the baseline fits poorly or zero is in the interval', async () => {
    const result = { ...knownResult, r2: 0.61, cvRmsePct: 24, isWithinLimits: false, lowKwh: -2_000 }
    await show({ result, source: 'flow' }, { language: 'en' })
    expect(textOf('saving-poor')).toContain('R² 0.61, CV(RMSE) 24.0%')
    expect(textOf('saving-unproven')).toContain('includes zero')
    expect(textOf('saving-panel')).toContain('Estimated: flow × difference of supply and return')
  })

  test('includes the electricity of the pump where it is measured', async () => {
    const pump = {
      days: 40,
      beforeKwhDay: 100,
      afterKwhDay: 60,
      savedKwh: 1_600,
      lowKwh: 1_500,
      highKwh: 1_700,
    }
    await show({ pump, prices: { yuanPerKwh: 0.7 } })
    expect(textOf('saving-pump')).toContain('1,600 kWh · 1,120 元')
    expect(textOf('saving-pump')).toContain('每天平均 100.0 → 60.0 kWh，未做天气修正')
  })

  test.each([
    [{ kind: 'not-measured', what: 'heat' }, 'The baseline has no heat readings of this station'],
    [{ kind: 'not-measured', what: 'weather' }, 'The baseline has no outdoor temperatures'],
    [{ kind: 'too-few-days', days: 4, needed: 21 }, 'The baseline has 4 usable days; at least 21 are needed'],
    [{ kind: 'weather-too-equal', spanK: 5.26, neededK: 8 }, 'range over 5.3 K; at least 8 K are needed'],
    [{ kind: 'heat-not-by-weather' }, 'does not follow the outdoor temperature'],
    [{ kind: 'no-days' }, 'no complete usable day yet'],
    [{ kind: 'weather-beyond-baseline', days: 9, ofDays: 20 }, 'Of 20 days after, 9 were outside'],
  ] as const)('is refused with a reason and advice: %j', async (result, text) => {
    await show({ result }, { language: 'en' })
    expect(textOf('saving-refused')).toContain(text)
    expect(screen.queryByTestId('saving-gj')).toBeNull()
    // Other periods can still be chosen.
    expect(screen.getByTestId('saving-compare')).toBeTruthy()
  })
})

describe('the periods', () => {
  const type = (testId: string, value: string) =>
    fireEvent.change(screen.getByTestId(testId), { target: { value } })

  test('are compared as chosen, and the usual ones can be restored', async () => {
    const { api, user } = await show()
    type('saving-after-to', '2026-12-31')
    api.answer(getHeatSaving, sampleSaving({ periodsBy: 'people' }))
    await user.click(screen.getByTestId('saving-compare'))
    await waitFor(() =>
      expect(api.calls(getHeatSaving).at(-1)?.periods).toEqual({
        baseline: { from: '2025-11-30', to: '2026-11-29' },
        after: { from: '2026-12-01', to: '2026-12-31' },
      }),
    )
    api.answer(getHeatSaving, sampleSaving())
    await user.click(await screen.findByTestId('saving-usual'))
    await waitFor(() => expect(screen.queryByTestId('saving-usual')).toBeNull())
  })

  test('that overlap, end before they begin or are too long cannot be compared', async () => {
    await show({}, { language: 'en' })
    const isOff = () => screen.getByTestId('saving-compare').hasAttribute('disabled')
    type('saving-after-from', '2026-11-20')
    expect(screen.getByRole('alert').textContent).toContain('must not overlap')
    type('saving-after-from', '2027-02-20')
    expect(screen.getByRole('alert').textContent).toContain('must not be before the first')
    type('saving-after-from', '2026-12-01')
    expect(isOff()).toBe(false)
    type('saving-baseline-from', '2024-11-20')
    expect(screen.getByRole('alert').textContent).toContain('at most 400 days')
    expect(isOff()).toBe(true)
  })
})

describe('prices', () => {
  const project = { node: '1', nodeName: '集团', version: 0 }
  const station = { node: '3', nodeName: '一号站', version: 2, yuanPerGj: 45 }

  test('cannot be set without the permission', async () => {
    await show({ prices: { yuanPerGj: 45 } })
    expect(screen.queryByTestId('price-form')).toBeNull()
  })

  test('are set for the highest node first, and the figures follow', async () => {
    const { api, user } = await show({ settable: [project, { ...station, version: 0 }] })
    api.answer(setEnergyPrice, { ...project, version: 1, yuanPerGj: 30 })
    await user.type(screen.getByLabelText('热价'), '30')
    api.answer(getHeatSaving, sampleSaving({ prices: { yuanPerGj: 30 } }))
    await user.click(screen.getByTestId('price-save'))
    await waitFor(() => expect(textOf('saving-money')).toContain('3,888 元'))
    expect(api.calls(setEnergyPrice)).toEqual([{ node: '1', version: 0, yuanPerGj: 30 }])
  })

  test('of a node are changed by its version, and removed by an empty field', async () => {
    const { api, user } = await show({ settable: [project, station], prices: { yuanPerGj: 45 } })
    api.answer(setEnergyPrice, { ...station, version: 3 })
    await user.clear(screen.getByLabelText('热价'))
    await user.click(screen.getByTestId('price-save'))
    await waitFor(() => expect(api.calls(setEnergyPrice)).toEqual([{ node: '3', version: 2 }]))
  })

  test('outside their bounds are not sent, and a change by another user is reported', async () => {
    const { api, user } = await show({ settable: [station] }, { language: 'en' })
    api.refuse(setEnergyPrice, { code: 'entity.stale', text: 'changed by zhang' })
    const field = screen.getByLabelText('Heat price')
    await user.clear(field)
    await user.type(field, '0')
    expect(screen.getByTestId('price-save').hasAttribute('disabled')).toBe(true)
    await user.clear(field)
    await user.type(field, '50')
    await user.click(screen.getByTestId('price-save'))
    expect(await screen.findByText(/changed by zhang/)).toBeTruthy()
  })
})
