import { getIrrigationRuns, getIrrigationWater } from '@isotherm/contract/endpoints/control/irrigation'
import type { IrrigationRun } from '@isotherm/contract/irrigation'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { catchDownloads, readLines } from '../../../shared/testing/catch-downloads.testkit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { sampleSource } from '../irrigation-samples.testkit.ts'
import { RunHistory } from './run-history.tsx'

const run: IrrigationRun = {
  id: 1,
  sourceId: 3,
  sourceName: '泵房',
  name: '晨灌',
  state: 'done',
  dueMs: 0,
  beganMs: 0,
  adjustPct: 100,
  conflicts: [],
  plannedM3: 2_000,
  isObserved: false,
  volumeM3: 1_234.5,
  measuredM3: 1_111.05,
  actor: 'keeper',
  steps: [],
}

test('the history begins with a whole local day, and its file has plain numbers and its days in its name', async () => {
  // The next day in Shanghai.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 20, 17) })
  const api = startFakeApi()
  api.answer(getIrrigationWater, { datalist: [] })
  api.answer(getIrrigationRuns, { datalist: [run], total: 1, volumeM3: 1_234.5, groups: [] })
  const files = catchDownloads()
  const { user } = await renderPart(<RunHistory source={sampleSource()} />)
  const shown = await screen.findByTestId('irrigation-past-run')
  expect(shown.textContent).toContain('1,234.50')
  await user.click(screen.getByTestId('irrigation-export'))
  await vi.waitFor(() =>
    expect(files.map(({ name }) => name)).toEqual(['泵房-轮灌记录-2026-05-23-2026-06-21.csv']),
  )
  const [head, line] = await readLines(files[0])
  expect(head?.split(',').slice(4, 8)).toEqual([
    '计划水量 (m³)',
    '实际用水 (m³)',
    '其中计量 (m³)',
    '其中计量 (%)',
  ])
  expect(line?.split(',').slice(-7, -2)).toEqual(['2000.00', '1234.50', '1111.05', '90', '100'])
  const from = Date.UTC(2026, 4, 22, 16)
  expect(api.calls(getIrrigationRuns)).toMatchObject([{ from }, { from }])
})
