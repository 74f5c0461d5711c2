import { addAlarmSilence, getAlarmAbilities } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import SilenceDialog from './silence-dialog.tsx'
import { closeSilenceDialog, openSilenceDialog, useSilenceDialog } from './silence-store.ts'

afterEach(() => act(closeSilenceDialog))

async function openDialog(abilities: 'silence'[] = ['silence']) {
  const api = startFakeApi()
  api.answer(getAlarmAbilities, { node: '4', abilities })
  openSilenceDialog({ key: '4', name: '东苑' })
  const view = await renderPart(<SilenceDialog />)
  return { api, ...view }
}

test('a silence needs a reason', async () => {
  const { user } = await openDialog()
  expect(screen.getByTestId('silence-node').textContent).toBe('“东苑”及其全部下级')
  expect(screen.getByTestId('silence-submit')).toHaveProperty('disabled', true)
  await user.type(screen.getByTestId('silence-reason'), '   ')
  expect(screen.getByTestId('silence-submit')).toHaveProperty('disabled', true)
  await user.type(screen.getByTestId('silence-reason'), '检修')
  expect(screen.getByTestId('silence-submit')).toHaveProperty('disabled', false)
})

test('a silence is sent for four hours by default, and the dialog closes', async () => {
  const { api, user } = await openDialog()
  api.answer(addAlarmSilence, ({ node, until, reason }) => ({
    id: 1,
    node,
    nestaddr: '东苑',
    from: Date.now(),
    until,
    reason,
    account: 'operator',
    version: 1,
    abilities: ['end' as const],
  }))
  await user.type(screen.getByTestId('silence-reason'), ' 检修 ')
  await user.click(screen.getByTestId('silence-submit'))
  await waitFor(() => expect(useSilenceDialog.getState().open).toBe(false))
  const [sent] = api.calls(addAlarmSilence)
  expect(sent).toMatchObject({ node: '4', reason: '检修' })
  expect(Math.abs((sent?.until ?? 0) - Date.now() - 4 * HOUR_MS)).toBeLessThan(60_000)
})

test('a node without full access cannot be silenced', async () => {
  const { api, user } = await openDialog([])
  await waitFor(() => expect(api.calls(getAlarmAbilities)).toEqual([{ node: '4' }]))
  await user.type(screen.getByTestId('silence-reason'), '检修')
  await waitFor(() => expect(screen.getByTestId('silence-submit')).toHaveProperty('disabled', true))
})

test('a refusal stays in the dialog with the reason of the server', async () => {
  const { api, user } = await openDialog()
  api.refuse(addAlarmSilence, { code: 'access.denied', text: '没有此操作的权限' })
  await user.type(screen.getByTestId('silence-reason'), '检修')
  await user.click(screen.getByTestId('silence-submit'))
  expect(await screen.findByText(/没有此操作的权限/)).toBeTruthy()
  expect(useSilenceDialog.getState().open).toBe(true)
})
