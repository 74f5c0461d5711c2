import type { AlarmRule } from '@isotherm/contract/alarms/alarms'
import { editAlarmRule } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { RuleDrawer } from './rule-drawer.tsx'

const rule: AlarmRule = {
  id: 3,
  kind: 'room-cold',
  node: '4',
  nestaddr: '集团,公司,东苑',
  deviceKinds: [],
  enabled: true,
  severity: 'major',
  raiseAt: 16,
  clearAt: 17,
  raiseAfterS: 1_800,
  clearAfterS: 0,
  season: null,
  hours: null,
  version: 2,
  abilities: ['edit', 'remove'],
}

async function openRule(over: Partial<AlarmRule> = {}) {
  const api = startFakeApi()
  const edited = { ...rule, ...over }
  api.answer(editAlarmRule, edited)
  api.answer(getDevsFromPrjTree, { datalist: [], total: 12 })
  const onClose = vi.fn()
  const view = await renderPart(<RuleDrawer edited={{ kind: edited.kind, rule: edited }} onClose={onClose} />)
  const retype = async (testId: string, text: string) => {
    await view.user.clear(await screen.findByTestId(testId))
    if (text !== '') await view.user.type(screen.getByTestId(testId), text)
  }
  return { api, onClose, retype, ...view }
}

test('a rule is shown with its values and its meaning', async () => {
  await openRule()
  expect(await screen.findByTestId('rule-raise-at')).toHaveProperty('value', '16')
  expect(screen.getByText(/低于 16.*持续 30 分钟后告警/)).toBeTruthy()
})

test('a clear threshold on the wrong side of the raise threshold is an error and cannot be saved', async () => {
  const { retype } = await openRule()
  await retype('rule-clear-at', '15')
  expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual([
    '恢复阈值不能低于告警阈值',
  ])
  expect(screen.getByTestId('rule-save')).toHaveProperty('disabled', true)
})

test('an empty threshold asks for a number', async () => {
  const { retype } = await openRule()
  await retype('rule-raise-at', '')
  expect(await screen.findByText('请填写数值')).toBeTruthy()
  expect(screen.getByTestId('rule-save')).toHaveProperty('disabled', true)
})

test('a changed rule is saved with its version, and the drawer closes', async () => {
  const { api, onClose, retype, user } = await openRule()
  await retype('rule-raise-at', '15')
  await user.click(screen.getByTestId('rule-save'))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(api.calls(editAlarmRule)).toMatchObject([{ id: 3, version: 2, raiseAt: 15, clearAt: 17 }])
})

test('a kind without a value has no thresholds', async () => {
  await openRule({ kind: 'device-silent', raiseAt: null, clearAt: null })
  expect(await screen.findByTestId('rule-save')).toBeTruthy()
  expect(screen.queryByTestId('rule-raise-at')).toBeNull()
})
