import { getCtlBatches } from '@isotherm/contract/endpoints/control/command-batches'
import { getCtlLog, previewMqCtlCmd, publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import {
  type GroupSchedule,
  getGroupSchedule,
  setGroupSchedule,
} from '@isotherm/contract/endpoints/control/group-schedules'
import { type DeviceGroup, getCtlGroup } from '@isotherm/contract/endpoints/devices/device-groups'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sampleBatch, sampleCommand, sampleDevice } from '../../shared/devices/valve-samples.testkit.ts'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import GroupctlPage from './groupctl-page.tsx'

const LONG = { timeout: 10_000 }
const valves = [sampleDevice({ id: 1, node: 'a' }), sampleDevice({ id: 2, node: 'b' })]

const groupOf = (over: Partial<DeviceGroup> = {}): DeviceGroup => ({
  id: 7,
  name: '朝北',
  description: '朝北的入口阀',
  deviceIds: [1, 2, 30],
  valveCount: 2,
  version: 1,
  abilities: ['control'],
  ...over,
})

const noSchedule: GroupSchedule = {
  groupId: 7,
  version: 0,
  enabled: false,
  orders: [],
  timeZone: 'Asia/Shanghai',
  next: [],
  abilities: ['set'],
}

async function openPage(groups: readonly DeviceGroup[], address = '', schedule = noSchedule) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getCtlGroup, { datalist: [...groups], total: groups.length })
  api.answer(getThreeSelectNewRealDev, { datalist: valves.map((device) => ({ device })), total: 2 })
  api.answer(getCtlBatches, ({ batchIds }) => {
    const datalist = batchIds ? [sampleBatch({ id: batchIds[0] ?? '' })] : []
    return { datalist, total: datalist.length }
  })
  api.answer(getCtlLog, { datalist: [sampleCommand()], total: 1 })
  api.answer(getGroupSchedule, schedule)
  api.answer(previewMqCtlCmd, { refused: [], ends: [], totals: [] })
  const view = await renderPart(<GroupctlPage />, {
    permissions: ['pg-groupctl', 'pg-groupmanage', 'pe-fmcontrol'],
    address: `/group/groupctl${address}`,
  })
  return { api, ...view }
}

test('a chosen group is previewed valve by valve, sent as one batch, and its progress is shown', async () => {
  const { api, user, address } = await openPage([groupOf()])
  api.answer(publishMqCtlCmd, { batchId: 'B1', commands: [], batch: sampleBatch({ id: 'B1' }) })
  await user.click(await screen.findByRole('combobox', { name: '选择分组' }))
  await user.click(await screen.findByText('朝北（在用阀门 2 台）'))
  await user.type(await screen.findByTestId('opening-input'), '40')
  await waitFor(() => expect(screen.getByTestId('confirm-command')).toHaveProperty('disabled', false), LONG)
  expect(screen.queryByText(/不在您的权限范围内/)).toBeNull()
  await user.click(screen.getByTestId('confirm-command'))
  expect(await screen.findByTestId('batch-progress')).toBeTruthy()
  expect(api.calls(publishMqCtlCmd)).toMatchObject([
    {
      targets: [
        { deviceId: 1, openingPct: 40 },
        { deviceId: 2, openingPct: 40 },
      ],
    },
  ])
  expect(address()).toBe('/group/groupctl?group=7&batch=B1')
})

test('the lists below show the places of the group, never the whole company', async () => {
  const { api } = await openPage([groupOf()], '?group=7')
  await waitFor(() => expect(api.calls(getCtlBatches).map(({ nodes }) => nodes)).toContainEqual(['a', 'b']))
})

test('a group that the user may not control is shown with the reason, and its valves are not fetched', async () => {
  const { api } = await openPage([groupOf({ abilities: [] })], '?group=7')
  expect(await screen.findByText('您不能控制此分组')).toBeTruthy()
  expect(api.calls(getThreeSelectNewRealDev)).toEqual([])
})

test('a group without valves, a removed group and no group at all each have their own text', async () => {
  const first = await openPage([groupOf({ valveCount: 0, abilities: [] })], '?group=7')
  expect(await screen.findByText('分组中没有在用的阀门')).toBeTruthy()
  first.unmount()
  const second = await openPage([groupOf()], '?group=8')
  expect(await screen.findByText('分组不存在，或不在您的权限范围内')).toBeTruthy()
  second.unmount()
  await openPage([])
  expect(await screen.findByText('还没有设备分组')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: /管理分组/ })[0]?.getAttribute('href')).toBe(
    '/group/groupmanage',
  )
})

test('a schedule of the group is added, saved from the version that was seen, and shows its coming orders', async () => {
  const { api, user } = await openPage([groupOf()], '?group=7')
  api.answer(
    setGroupSchedule,
    ({ orders, enabled }): GroupSchedule => ({
      ...noSchedule,
      version: 1,
      enabled,
      orders,
      actor: 'wang',
      next: [{ at: Date.UTC(2026, 10, 27, 22), openingPct: 70 }],
      last: { at: Date.UTC(2026, 10, 26, 22), openingPct: 70, outcome: 'sent', leftOut: 1, batchId: 'B7' },
    }),
  )
  await user.click(await screen.findByTestId('schedule-add', {}, LONG))
  const opening = screen.getByTestId('schedule-opening')
  await user.clear(opening)
  await user.type(opening, '70')
  await user.click(screen.getByTestId('schedule-enabled'))
  await user.click(screen.getByTestId('schedule-save'))
  await waitFor(() =>
    expect(api.calls(setGroupSchedule)).toEqual([
      {
        groupId: 7,
        version: 0,
        enabled: true,
        orders: [{ days: [0, 1, 2, 3, 4, 5, 6], minute: 360, openingPct: 70 }],
      },
    ]),
  )
  expect((await screen.findByTestId('schedule-next')).textContent).toContain('70%')
  expect(screen.getByTestId('schedule-last').textContent).toContain('1 台阀门未参与')
})

test('a schedule without days or with two orders at one time cannot be saved', async () => {
  const { user } = await openPage([groupOf()], '?group=7')
  await user.click(await screen.findByTestId('schedule-add', {}, LONG))
  await user.click(screen.getByTestId('schedule-add'))
  expect(screen.getByText('同一时刻只能有一条')).toBeTruthy()
  expect(screen.getByTestId('schedule-save')).toHaveProperty('disabled', true)
})

test('a user who may not set the schedule sees its coming orders, and no form', async () => {
  const next = [{ at: Date.UTC(2026, 10, 27, 22), openingPct: 70 }]
  const schedule: GroupSchedule = { ...noSchedule, enabled: true, next, abilities: [] }
  await openPage([groupOf()], '?group=7', schedule)
  expect((await screen.findByTestId('schedule-next', {}, LONG)).textContent).toContain('70%')
  expect(screen.queryByTestId('schedule-save')).toBeNull()
})
