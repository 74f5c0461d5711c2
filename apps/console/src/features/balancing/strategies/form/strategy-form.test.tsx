import { addStrategy, updateStrategy } from '@isotherm/contract/endpoints/control/strategies'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startFakeApi } from '../../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../../shared/testing/render-part.testkit.tsx'
import { findPlan, startPlanDraft } from '../plan-draft.ts'
import StrategyForm from './strategy-form.tsx'

const plan = findPlan(startPlanDraft('temperature', '分组 1'))
if (!plan) throw new Error('the plan of a new form is not complete')

const form = { node: 'n5', name: '一号站', kind: 'temperature', onStored() {}, onCancel() {} } as const

describe('the form of a strategy', () => {
  test('names the fields that are missing, and cannot be saved', async () => {
    const { user } = await renderPart(<StrategyForm {...form} />)
    expect(screen.getByTestId('strategy-store')).toHaveProperty('disabled', false)
    await user.clear(screen.getByLabelText('检查周期'))
    expect(screen.getByText('请检查：检查周期')).toBeTruthy()
    expect(screen.getByTestId('strategy-store')).toHaveProperty('disabled', true)
    expect(screen.getByTestId('strategy-try')).toHaveProperty('disabled', true)
  })

  test('a running strategy can be read, but not saved', async () => {
    const at = { id: 4, version: 2, plan, abilities: ['pause' as const] }
    await renderPart(<StrategyForm {...form} at={at} />)
    expect(screen.getByTestId('strategy-barred').textContent).toContain('策略正在运行')
    expect(screen.getByTestId('strategy-store')).toHaveProperty('disabled', true)
  })

  test('saving sends the plan of the form', async () => {
    const api = startFakeApi()
    api.stall(addStrategy)
    const { user } = await renderPart(<StrategyForm {...form} />)
    await user.click(screen.getByTestId('strategy-store'))
    expect(api.calls(addStrategy)).toEqual([{ node: 'n5', plan }])
  })

  test('a refused change shows the reason and keeps the typed values', async () => {
    const api = startFakeApi()
    api.refuse(updateStrategy, { code: 'entity.stale', text: '策略刚被 admin 修改，请重新加载后再试' })
    const at = { id: 4, version: 2, plan, abilities: ['change' as const] }
    const { user } = await renderPart(<StrategyForm {...form} at={at} />)
    await user.clear(screen.getByLabelText('检查周期'))
    await user.type(screen.getByLabelText('检查周期'), '12')
    await user.click(screen.getByTestId('strategy-store'))
    expect(await screen.findByText('策略刚被 admin 修改，请重新加载后再试')).toBeTruthy()
    expect(screen.getByLabelText('检查周期')).toHaveProperty('value', '12')
  })
})
