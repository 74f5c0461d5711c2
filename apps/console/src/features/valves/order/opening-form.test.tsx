import type { Device, DeviceState } from '@isotherm/contract/devices'
import { previewMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import type { OrderPreview } from '@isotherm/contract/order-preview'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { NOW, sampleDevice, sampleHold, sampleState } from '../../../shared/devices/valve-samples.testkit.ts'
import { type FakeApi, startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { OpeningForm } from './opening-form.tsx'

const clear: OrderPreview = { refused: [], ends: [], totals: [] }
const isReady = () => expect(screen.getByTestId('confirm-command')).toHaveProperty('disabled', false)
const LONG = { timeout: 10_000 }

interface Setup {
  readonly devices?: readonly Device[]
  readonly states?: ReadonlyMap<number, DeviceState>
  readonly preview?: OrderPreview
}

async function renderForm({
  devices = [sampleDevice()],
  states = new Map([[1, sampleState()]]),
  preview = clear,
}: Setup = {}) {
  stubLayout()
  const api: FakeApi = startFakeApi()
  api.answer(previewMqCtlCmd, preview)
  const onSend = vi.fn()
  const view = await renderPart(
    <OpeningForm devices={devices} states={states} busy={false} onSend={onSend} />,
  )
  const enter = (pct: string) => view.user.type(screen.getByTestId('opening-input'), pct)
  return { ...view, api, onSend, enter }
}

test('without a target nothing is previewed, and the button asks for one', async () => {
  const { api } = await renderForm()
  const button = screen.getByTestId('confirm-command')
  expect(button.textContent).toBe('请先填写目标开度')
  expect(button).toHaveProperty('disabled', true)
  expect(api.calls(previewMqCtlCmd)).toEqual([])
})

test('the form shows the openings that all devices allow, or warns that there are none', async () => {
  const low = sampleDevice({ id: 1, limits: { minPct: 10, maxPct: 30 } })
  const { unmount } = await renderForm({
    devices: [low, sampleDevice({ id: 2, limits: { minPct: 20, maxPct: 90 } })],
  })
  expect(screen.getByText(/设备自身允许 20%–30%/)).toBeTruthy()
  unmount()
  await renderForm({ devices: [low, sampleDevice({ id: 2, limits: { minPct: 40, maxPct: 90 } })] })
  expect(screen.getByText('所选阀门没有共同允许的开度，超限的不会下发')).toBeTruthy()
})

test('a target is previewed per valve and sent with its reason after a confirmation', async () => {
  const { api, onSend, enter, user } = await renderForm()
  await enter('60')
  await waitFor(isReady, LONG)
  expect(screen.getByTestId('plan-1').textContent).toMatch(/35.*60.*将改变/)
  expect(api.calls(previewMqCtlCmd).at(-1)).toMatchObject({
    targets: [{ deviceId: 1, openingPct: 60 }],
    priority: 'manual',
  })
  await user.type(screen.getByTestId('reason-input'), ' 回水偏低 ')
  await user.click(screen.getByTestId('confirm-command'))
  expect(onSend).toHaveBeenCalledWith({
    targets: [{ deviceId: 1, openingPct: 60 }],
    reason: '回水偏低',
    priority: 'manual',
    holdUntil: undefined,
  })
})

test('valves of one name in two residential areas are previewed with their whole addresses', async () => {
  const at = (id: number, area: string) =>
    sampleDevice({ id, nestaddr: `集团,公司,东区,一号站,${area},3号楼,1单元` })
  const { enter } = await renderForm({ devices: [at(1, '阳光小区'), at(2, '翠湖家园')] })
  await enter('60')
  await waitFor(isReady, LONG)
  for (const [id, area] of [
    [1, '阳光小区'],
    [2, '翠湖家园'],
  ] as const)
    expect(screen.getByTestId(`plan-${id}`).textContent).toContain(
      `集团 / 公司 / 东区 / 一号站 / ${area} / 3号楼 / 1单元`,
    )
})

test('a refused valve is shown with its limit and is not sent', async () => {
  const devices = [sampleDevice({ id: 1 }), sampleDevice({ id: 2 })]
  const { onSend, enter, user } = await renderForm({
    devices,
    preview: { ...clear, refused: [{ deviceId: 2, reason: 'too-far', minPct: 20, maxPct: 50 }] },
  })
  await enter('60')
  await waitFor(isReady, LONG)
  expect(screen.getByTestId('plan-2').textContent).toContain('超出单次最大步长，不下发')
  expect(screen.getByTestId('plan-2').textContent).toContain('允许 20%–50%')
  await user.click(screen.getByTestId('confirm-command'))
  expect(onSend.mock.calls[0]?.[0].targets).toEqual([{ deviceId: 1, openingPct: 60 }])
})

test('if every valve is refused, nothing can be sent', async () => {
  const { enter } = await renderForm({
    preview: { ...clear, refused: [{ deviceId: 1, reason: 'switched-off' }] },
  })
  await enter('60')
  await screen.findByText('没有可下发的阀门', {}, LONG)
  expect(screen.getByTestId('confirm-command')).toHaveProperty('disabled', true)
})

test('a node whose average opening would fall too low blocks the whole order', async () => {
  const { enter } = await renderForm({
    preview: { ...clear, totals: [{ node: '一号站', totalPct: 18.4, minTotalPct: 30 }] },
  })
  await enter('10')
  await screen.findByText('一号站 下阀门的平均开度将为 18.4%，不得低于 30%；整批都不会下发', {}, LONG)
  expect(screen.getByTestId('confirm-command')).toHaveProperty('disabled', true)
})

test('an order that would end holds of others names their users', async () => {
  const { enter } = await renderForm({ preview: { ...clear, ends: [sampleHold({ actor: '李工' })] } })
  await enter('60')
  expect((await screen.findByTestId('order-ends', {}, LONG)).textContent).toContain('将结束 1 个保持（李工）')
})

test('a chosen hold is previewed and sent with its end', async () => {
  const { api, onSend, enter, user } = await renderForm()
  await enter('60')
  await user.click(screen.getByLabelText('保持'))
  await user.click(await screen.findByTitle('1 小时'))
  await waitFor(() => expect(api.calls(previewMqCtlCmd).at(-1)?.holdUntil).toBeGreaterThan(NOW), LONG)
  await waitFor(isReady, LONG)
  const before = Date.now()
  await user.click(screen.getByTestId('confirm-command'))
  const { holdUntil } = onSend.mock.calls[0]?.[0] ?? {}
  expect(holdUntil).toBeGreaterThanOrEqual(before + HOUR_MS)
  expect(holdUntil).toBeLessThan(before + HOUR_MS + 60_000)
})

test('a failed preview sends nothing and offers another check', async () => {
  const { api, enter, user } = await renderForm()
  api.refuse(previewMqCtlCmd, { code: 'device.not-found', text: '该设备不存在' })
  await enter('60')
  const again = await screen.findByRole('button', { name: '重新检查' }, LONG)
  expect(screen.getByTestId('confirm-command')).toHaveProperty('disabled', true)
  api.answer(previewMqCtlCmd, clear)
  await user.click(again)
  await waitFor(isReady, LONG)
})
