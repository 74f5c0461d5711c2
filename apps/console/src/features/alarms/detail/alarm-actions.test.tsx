import { getAlarmAbilities } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { editAlarm } from '@isotherm/contract/endpoints/monitoring/alarms'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { sampleAlarm } from '../parts/alarm-samples.testkit.ts'
import { closeSilenceDialog, useSilenceDialog } from '../silences/silence-store.ts'
import { AlarmActions } from './alarm-actions.tsx'

async function renderActions(over: Parameters<typeof sampleAlarm>[0], abilities: 'silence'[] = []) {
  const api = startFakeApi()
  api.answer(getAlarmAbilities, { node: '4', abilities })
  api.answer(editAlarm, sampleAlarm(over))
  const view = await renderPart(<AlarmActions alarm={sampleAlarm(over)} />)
  return { api, ...view }
}

test('without abilities no action and no notes are offered', async () => {
  const { api } = await renderActions({})
  await waitFor(() => expect(api.calls(getAlarmAbilities)).toHaveLength(1))
  expect(screen.queryAllByRole('button')).toEqual([])
  expect(screen.queryByTestId('alarm-comment')).toBeNull()
})

test('an alarm is acknowledged with the version that the user sees', async () => {
  const { api, user } = await renderActions({ abilities: ['acknowledge'], version: 7 })
  await user.click(screen.getByTestId('acknowledge'))
  await waitFor(() => expect(api.calls(editAlarm)).toEqual([{ id: 1, version: 7, acknowledge: true }]))
})

test('an alarm that is assigned to the user is not offered for assignment again', async () => {
  await renderActions({ abilities: ['assign'], assignee: 'operator' })
  expect(screen.queryByText('指派给我')).toBeNull()
})

test('an alarm is closed only after a confirmation', async () => {
  const { api, user } = await renderActions({ abilities: ['close'] })
  await user.click(screen.getByRole('button', { name: /关闭/ }))
  expect(await screen.findByText('如果问题仍在，规则会重新产生告警。')).toBeTruthy()
  expect(api.calls(editAlarm)).toEqual([])
  const confirm = screen.getAllByRole('button', { name: '关闭' }).at(-1)
  if (confirm) await user.click(confirm)
  await waitFor(() => expect(api.calls(editAlarm)).toMatchObject([{ close: true }]))
})

test('the place can be silenced only with that ability, and the dialog opens for its node', async () => {
  const { user } = await renderActions({}, ['silence'])
  await user.click(await screen.findByRole('button', { name: /静默此处/ }))
  expect(useSilenceDialog.getState()).toEqual({ open: true, node: { key: '4', name: '东苑' } })
  act(closeSilenceDialog)
})

test('only a changed comment can be saved', async () => {
  const { api, user } = await renderActions({ abilities: ['comment'], comment: '已派工' })
  const save = screen.getByRole('button', { name: '保存' })
  expect(save).toHaveProperty('disabled', true)
  await user.type(screen.getByTestId('alarm-comment'), '，处理中')
  await user.click(save)
  await waitFor(() => expect(api.calls(editAlarm)).toMatchObject([{ comment: '已派工，处理中' }]))
})
