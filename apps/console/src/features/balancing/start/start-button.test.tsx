import { addCampaign } from '@isotherm/contract/endpoints/control/balancing'
import { getPipes } from '@isotherm/contract/endpoints/network/pipes'
import { toErrorText } from '@isotherm/contract/locales/error-text'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { sampleCampaign } from '../campaign/campaign-samples.testkit.ts'
import { StartButton } from './start-button.tsx'

const mayBalance = ['pe-fmcontrol', 'pe-egmonitor', 'pe-enmonitor']

async function openForm(kind: 'temperature' | 'energy' = 'temperature', heatNowWM2?: number) {
  const api = startFakeApi()
  api.answer(getPipes, { datalist: [], total: 0 })
  const onCampaign = vi.fn()
  const part = (
    <StartButton
      node="n5"
      name="一号站"
      nestaddr="集团,公司,东区,一号站"
      kind={kind}
      heatNowWM2={heatNowWM2}
      onCampaign={onCampaign}
    />
  )
  const view = await renderPart(part, { permissions: mayBalance })
  await view.user.click(screen.getByTestId('one-key'))
  const dialog = await screen.findByRole('dialog')
  return { ...view, api, onCampaign, dialog }
}

describe('the one-key start', () => {
  test.each([
    ['without any permission', []],
    ['without control', ['pe-egmonitor']],
    ['with control, but without this kind of balance', ['pe-fmcontrol', 'pe-enmonitor']],
  ])('is not offered %s', async (_, permissions) => {
    const part = (
      <StartButton
        node="n5"
        name="一号站"
        nestaddr="集团,公司,东区,一号站"
        kind="temperature"
        heatNowWM2={30}
        onCampaign={() => {}}
      />
    )
    await renderPart(part, { permissions })
    expect(screen.queryByTestId('one-key')).toBeNull()
  })

  test('offers the kinds that the user may start, and no others', async () => {
    const { dialog } = await openForm()
    expect(within(dialog).getByTestId('start-place').textContent).toBe('集团 / 公司 / 东区 / 一号站')
    const kinds = within(within(dialog).getByTestId('start-kind')).getAllByRole('radio')
    expect(kinds).toHaveLength(2)
    expect(dialog.textContent).toContain('温度')
    expect(dialog.textContent).toContain('热量')
    expect(within(dialog).getByTestId('start-kind').textContent).not.toContain('流量')
  })

  test('states that assumed pipes are used where none are recorded', async () => {
    const { dialog } = await openForm()
    expect((await within(dialog).findByTestId('start-no-pipes')).textContent).toContain('尚未录入管段')
  })

  test('sends the plan of the form and opens the campaign', async () => {
    const { api, dialog, onCampaign, user } = await openForm()
    api.answer(addCampaign, sampleCampaign({ id: 12 }))
    await user.click(within(dialog).getByTestId('start-submit'))
    await waitFor(() => expect(onCampaign).toHaveBeenCalledWith(12))
    expect(api.calls(addCampaign)).toEqual([{ node: 'n5', mode: { kind: 'temperature', target: 'return' } }])
  })

  test('starts with the present heat load, and refuses one out of bounds', async () => {
    const { dialog, user } = await openForm('energy', 41.26)
    const heat = within(dialog).getByRole('spinbutton')
    expect(heat).toHaveProperty('value', '41.3')
    await user.clear(heat)
    await user.type(heat, '500')
    expect(within(dialog).getByTestId('start-submit')).toHaveProperty('disabled', true)
    await user.clear(heat)
    await user.type(heat, '50')
    expect(within(dialog).getByTestId('start-submit')).toHaveProperty('disabled', false)
  })

  test('shows why a plan that expects worse is refused, and what would help', async () => {
    const { api, dialog, onCampaign, user } = await openForm()
    const params = { node: '一号站', reason: 'return', now: '2.00 K', expected: '2.10 K', help: 'areas 3/60' }
    const text = toErrorText('zh', 'balance.not-identified', params)
    api.refuse(addCampaign, { code: 'balance.not-identified', text, params })
    await user.click(within(dialog).getByTestId('start-submit'))
    const alert = await within(dialog).findByRole('alert')
    expect(alert.textContent).toContain('未辨识')
    expect(alert.textContent).toContain('预计回水温度标准差为 2.10 K，目前为 2.00 K')
    expect(alert.textContent).toContain('供热面积（3/60 个阀门没有）')
    expect(onCampaign).not.toHaveBeenCalled()
  })

  test('leads to the campaign that already runs on the loop', async () => {
    const { api, dialog, onCampaign, user } = await openForm()
    const params = { station: '一号站', campaign: 9 }
    api.refuse(addCampaign, { code: 'campaign.loop-taken', text: '已有平衡任务', params })
    await user.click(within(dialog).getByTestId('start-submit'))
    await user.click(await within(dialog).findByRole('button', { name: '打开正在进行的任务' }))
    expect(onCampaign).toHaveBeenCalledWith(9)
  })
})
