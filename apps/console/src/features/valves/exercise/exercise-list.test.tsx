import {
  addValveExercise,
  cancelValveExercise,
  getExerciseValves,
  getValveExercises,
  previewValveExercise,
  type ValveExercise,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type FakeApi, startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { ExerciseList } from './exercise-list.tsx'

const exercise = (over: Partial<ValveExercise> = {}): ValveExercise => ({
  id: 7,
  state: 'finished',
  step: 'restore',
  actor: 'li',
  reason: '夏季',
  createdAt: 1_780_000_000_000,
  endedAt: 1_780_000_600_000,
  counts: { moved: 2, stuck: 1, 'left-out': 1 },
  total: 4,
  abilities: [],
  ...over,
})

const season = { first: '11-15', last: '03-15', isNow: false }

async function openList(
  exercises: readonly ValveExercise[],
  options: RenderOptions = {},
): Promise<{ api: FakeApi } & Awaited<ReturnType<typeof renderPart>>> {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getValveExercises, { datalist: [...exercises], total: exercises.length })
  api.answer(previewValveExercise, { valves: 3, leftOut: { held: 1, irrigation: 2 }, season })
  const view = await renderPart(<ExerciseList nodes={['n5']} page={1} onPage={() => {}} />, options)
  return { api, ...view }
}

test.each([
  ['zh', '动作正常 2 · 卡涩 1 · 未参加 1', '已中止: 采暖季已开始'],
  ['en', 'Moved 2 · Stuck 1 · Left out 1', 'Stopped: the heating season began'],
] as const)('exercises are listed with their results in %s', async (language, counts, stopped) => {
  await openList([exercise(), exercise({ id: 8, state: 'stopped', stop: 'season', counts: {} })], {
    language,
  })
  expect(await screen.findByText(counts)).toBeTruthy()
  expect(screen.getByText(stopped)).toBeTruthy()
})

test('the form shows how many valves would move and which are left out, and sends the nodes with the reason', async () => {
  const { api, user } = await openList([])
  await user.click(screen.getByTestId('exercise-start'))
  expect((await screen.findByTestId('exercise-preview')).textContent).toContain('3 台阀门')
  expect(screen.getByText('开度被保持: 1')).toBeTruthy()
  expect(screen.getByText('灌溉阀门: 2')).toBeTruthy()
  expect(screen.getByTestId('exercise-confirm')).toHaveProperty('disabled', true)
  await user.type(screen.getByTestId('exercise-reason'), '夏季活动')
  api.answer(addValveExercise, exercise({ state: 'running', step: 'open' }))
  api.answer(getExerciseValves, { datalist: [], total: 0 })
  await user.click(screen.getByTestId('exercise-confirm'))
  await waitFor(() => expect(api.calls(addValveExercise)).toEqual([{ nodes: ['n5'], reason: '夏季活动' }]))
})

test('in the heating season the form shows a warning and cannot be sent', async () => {
  const { api, user } = await openList([])
  api.answer(previewValveExercise, { valves: 3, leftOut: {}, season: { ...season, isNow: true } })
  await user.click(screen.getByTestId('exercise-start'))
  expect(await screen.findByText('采暖季（11-15 至 03-15）内不进行阀门活动')).toBeTruthy()
  await user.type(screen.getByTestId('exercise-reason'), 'x')
  expect(screen.getByTestId('exercise-confirm')).toHaveProperty('disabled', true)
})

test('a refusal of the server is shown in the form', async () => {
  const { api, user } = await openList([])
  api.refuse(addValveExercise, { code: 'exercise.running', text: '这里有阀门正在进行活动' })
  await user.click(screen.getByTestId('exercise-start'))
  await user.type(await screen.findByTestId('exercise-reason'), 'x')
  await user.click(screen.getByTestId('exercise-confirm'))
  expect(await screen.findByText('这里有阀门正在进行活动')).toBeTruthy()
})

test('the report lists each valve with its steps, filters by result, and cancels what runs', async () => {
  const { api, user } = await openList([exercise({ state: 'running', step: 'close', abilities: ['cancel'] })])
  api.answer(getExerciseValves, {
    datalist: [
      {
        deviceId: 1,
        name: '入户阀',
        imei: 'V-1',
        nestaddr: '集团,公司,站,小区,1号楼,1单元,101',
        outcome: 'stuck',
        beforePct: 35,
        steps: { open: { openingPct: 100, state: 'failed', at: 1 } },
      },
    ],
    total: 1,
  })
  await user.click(await screen.findByTestId('open-exercise-7'))
  expect(await screen.findByText(/^100% · 失败/)).toBeTruthy()
  await user.click(screen.getByTestId('exercise-outcome-stuck'))
  await waitFor(() => expect(api.calls(getExerciseValves).at(-1)).toMatchObject({ id: 7, outcome: 'stuck' }))
  api.answer(cancelValveExercise, exercise({ state: 'cancelling' }))
  await user.click(screen.getByTestId('exercise-cancel'))
  await user.click(await screen.findByText('取消活动', { selector: '.ant-popconfirm-buttons span' }))
  await waitFor(() => expect(api.calls(cancelValveExercise)).toEqual([{ id: 7 }]))
})
