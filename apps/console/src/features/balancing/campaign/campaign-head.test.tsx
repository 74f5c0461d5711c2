import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { CampaignHead } from './campaign-head.tsx'
import { sampleCampaign } from './campaign-samples.testkit.ts'

const show = (part: Partial<CampaignDetail> = {}, options?: RenderOptions) =>
  renderPart(<CampaignHead campaign={sampleCampaign(part)} onClose={() => {}} />, options)

const readStages = () =>
  Object.fromEntries(
    screen.getAllByTestId(/^stage-/).map((each) => [each.dataset.testid, each.dataset.state]),
  )

describe('the head of a campaign', () => {
  test('marks the plan as the present step of a draft', async () => {
    await show()
    expect(readStages()).toMatchObject({ 'stage-draft': 'now', 'stage-executing': 'todo' })
    expect(screen.getByTestId('stage-draft').getAttribute('aria-current')).toBe('step')
  })

  test('an aborted campaign names the valves that got too little flow, and what the user can do', async () => {
    await show({
      state: 'aborted',
      abort: { kind: 'starved', deviceIds: [1, 2] },
      abilities: ['rollback', 'accept'],
    })
    const note = screen.getByTestId('campaign-abort').textContent ?? ''
    expect(note).toContain('任务已自动中止')
    expect(note).toContain('2 个阀门的流量不到预测的 70%')
    expect(note).toContain('可以恢复原开度，或接受现在的状态')
  })

  test('a refused wave is explained in words, without an error code', async () => {
    const abort = { kind: 'refused', code: 'command.total-too-low' } as const
    await show({ state: 'aborted', abort, abilities: [] }, { language: 'en' })
    const note = screen.getByTestId('campaign-abort').textContent ?? ''
    expect(note).toContain('the average opening would fall below its minimum')
    expect(note).not.toContain('total-too-low')
  })

  test('a plan from old readings asks for a new calculation', async () => {
    await show({ abilities: ['replan', 'discard'] })
    expect(screen.getByText(/方案依据的测量值已超过 1 小时/)).toBeTruthy()
  })

  test('a room target shows the earliest time of a trim, to users who may act and must still wait', async () => {
    const trimFrom = Date.UTC(2026, 0, 25, 8)
    const verified = { state: 'verified', trimFrom } as const
    const view = await show({ ...verified, abilities: ['accept', 'rollback'] })
    const note = screen.getByTestId('campaign-trim-wait').textContent ?? ''
    expect(note).toContain('室温仍在响应')
    expect(note).toContain('2026/01/25')
    view.unmount()
    for (const abilities of [[], ['accept', 'rollback', 'trim']] as const) {
      const other = await show({ ...verified, abilities: [...abilities] })
      expect(screen.queryByTestId('campaign-trim-wait')).toBeNull()
      other.unmount()
    }
  })

  test('a campaign of a strategy leads to that strategy', async () => {
    await show({ strategy: 3 })
    expect(screen.getByTestId('campaign-strategy').getAttribute('href')).toBe('/?strategy=3')
  })
})
