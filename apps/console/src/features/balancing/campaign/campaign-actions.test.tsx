import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { approveCampaign, getCampaign, pauseCampaign } from '@isotherm/contract/endpoints/control/balancing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { CampaignActions } from './campaign-actions.tsx'
import { sampleCampaign } from './campaign-samples.testkit.ts'

const listActions = () => screen.getAllByTestId(/^campaign-/).map((each) => each.dataset.testid)

async function show(part: Partial<CampaignDetail> = {}, options?: RenderOptions) {
  const api = startFakeApi()
  const view = await renderPart(<CampaignActions campaign={sampleCampaign(part)} />, options)
  return { ...view, api }
}

async function findQuestion() {
  const dialog = await screen.findByRole('dialog')
  return { dialog, means: within(dialog).getByTestId('campaign-means').textContent ?? '' }
}

describe('the actions of a campaign', () => {
  test('are those that the server allows, the next step first', async () => {
    await show({ abilities: ['discard', 'replan', 'approve'] })
    expect(listActions()).toEqual(['campaign-approve', 'campaign-replan', 'campaign-discard'])
  })

  test('are absent for a user without permission', async () => {
    await show({ abilities: [] })
    expect(screen.queryAllByRole('button')).toEqual([])
  })

  test('approval states how many valves move and which stay, and sends nothing before it is confirmed', async () => {
    const { api, user } = await show()
    await user.click(screen.getByTestId('campaign-approve'))
    const { dialog, means } = await findQuestion()
    expect(means).toContain('将分 2 批调节 2 个阀门（共 3 个）：1 个开大，1 个关小。')
    expect(means).toContain('集团 / 公司 / 东区 / 一号站')
    expect(means).toContain('另有 1 个阀门不参与')
    expect(means).toContain('任务自动中止')
    await user.click(within(dialog).getByRole('button', { name: '取消' }))
    expect(api.calls(approveCampaign)).toEqual([])
  })

  test('approval in English uses plural words with numbers', async () => {
    const { user } = await show({}, { language: 'en' })
    await user.click(screen.getByTestId('campaign-approve'))
    const { means } = await findQuestion()
    expect(means).toContain('Valves that will move: 2 of 3 (1 open further, 1 close further). Waves: 2.')
    expect(means).toContain('stay where they are: 1.')
  })

  test('a confirmed approval names the campaign and the version that the user saw', async () => {
    const { api, user } = await show({ id: 7, version: 4 })
    api.answer(approveCampaign, sampleCampaign({ state: 'executing', version: 5 }))
    await user.click(screen.getByTestId('campaign-approve'))
    const { dialog } = await findQuestion()
    await user.click(within(dialog).getByRole('button', { name: '批准执行' }))
    await waitFor(() => expect(api.calls(approveCampaign)).toEqual([{ id: 7, version: 4 }]))
  })

  test('a refused approval shows the reason of the server', async () => {
    const { api, user } = await show()
    const text = '方案制定之后，1单元调节阀 收到了其他命令；请重新计算方案'
    api.refuse(approveCampaign, { code: 'campaign.outdated', text, params: { device: '1单元调节阀' } })
    api.answer(getCampaign, sampleCampaign())
    await user.click(screen.getByTestId('campaign-approve'))
    const { dialog } = await findQuestion()
    await user.click(within(dialog).getByRole('button', { name: '批准执行' }))
    await waitFor(() => expect(useNotices.getState().notices.map((notice) => notice.text)).toEqual([text]))
  })

  test('a pause needs no confirmation', async () => {
    const { api, user } = await show({ state: 'executing', abilities: ['pause'] })
    api.answer(pauseCampaign, sampleCampaign({ state: 'paused' }))
    await user.click(screen.getByTestId('campaign-pause'))
    await waitFor(() => expect(api.calls(pauseCampaign)).toHaveLength(1))
  })
})
