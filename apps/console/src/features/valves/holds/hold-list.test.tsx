import { getHolds, releaseHolds } from '@isotherm/contract/endpoints/control/valve-holds'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sampleHold } from '../../../shared/devices/valve-samples.testkit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { HoldList } from './hold-list.tsx'

const until = Date.now() + HOUR_MS
const holds = [sampleHold({ until }), sampleHold({ id: 6, deviceId: 2, priority: 'emergency', until })]

async function renderHolds(controllable: readonly number[], datalist = holds) {
  const api = startFakeApi()
  api.answer(getHolds, { datalist, total: datalist.length })
  const view = await renderPart(<HoldList nodes={['4']} controllable={new Set(controllable)} />)
  return { api, ...view }
}

test('a user without control permission sees the holds but cannot release them', async () => {
  await renderHolds([])
  const list = await screen.findByTestId('hold-list')
  expect(list.textContent).toContain('紧急保持')
  expect(within(list).queryAllByRole('checkbox')).toEqual([])
  expect(screen.queryByTestId('release-hold')).toBeNull()
})

test('only holds of controllable valves can be selected, and they are released after a confirmation', async () => {
  const { api, user } = await renderHolds([1])
  api.answer(releaseHolds, { ids: [5] })
  const list = await screen.findByTestId('hold-list')
  const [, first, second] = within(list).getAllByRole('checkbox')
  expect(second).toHaveProperty('disabled', true)
  expect(screen.getByTestId('release-hold')).toHaveProperty('disabled', true)
  if (first) await user.click(first)
  await user.click(screen.getByTestId('release-hold'))
  expect(api.calls(releaseHolds)).toEqual([])
  expect((await screen.findByRole('tooltip')).textContent).toContain('集团 / ')
  const confirm = (await screen.findAllByRole('button', { name: '解除保持' })).at(-1)
  if (confirm) await user.click(confirm)
  await waitFor(() => expect(api.calls(releaseHolds)).toMatchObject([{ ids: [5] }]))
})

test('a hold that has expired is not listed', async () => {
  await renderHolds([1], [sampleHold({ until: Date.now() - HOUR_MS })])
  expect(await screen.findByText('所选范围内没有保持中的阀门')).toBeTruthy()
})
