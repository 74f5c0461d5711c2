import { getDevGroups } from '@isotherm/contract/endpoints/network/network'
import { getNodeHealth } from '@isotherm/contract/endpoints/network/tree'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { connectLive } from '../../../shared/testing/connect-live.testkit.ts'
import { townKeys } from './sample-town.testkit.ts'
import {
  clickCheck,
  eventually,
  expand,
  expectState,
  findRow,
  focusedLabel,
  getRow,
  listRows,
  openTree,
} from './tree-panel.testkit.tsx'
import { DEVICES, startTreeServer } from './tree-server.testkit.ts'

const countOf = (name: string) => getRow(name).querySelector('.tree-count')?.textContent

test('each visible row has a health dot and a count, also as text', async () => {
  startTreeServer()
  await openTree()
  await eventually(() => expect(countOf('二网监控平台')).toBe(String(DEVICES)))
  for (const name of ['二网监控平台', '城西区域'])
    expect(within(getRow(name)).getByTestId('tree-dot').textContent).toBe('12 台设备中 2 台失联')
})

test('devices that moved with their node are counted there at once, not with the next poll after 15 s', async () => {
  const { api } = startTreeServer()
  const live = await connectLive()
  await openTree()
  await eventually(() => expect(countOf('二网监控平台')).toBe(String(DEVICES)))
  api.answer(getNodeHealth, ({ nodes }) => ({
    datalist: nodes.map((node) => ({
      node,
      health: 'good' as const,
      devCount: 7,
      silentCount: 0,
      unknownCount: 0,
      badCount: 0,
    })),
  }))
  const sentAt = Date.now()
  live.send({ type: 'structure', parents: ['1'] })
  await eventually(() => expect(countOf('二网监控平台')).toBe('7'))
  expect(Date.now() - sentAt).toBeLessThan(10_000)
})

test('a structure change by another user appears automatically; checks, expansion and focus stay', async () => {
  const { api, company } = startTreeServer()
  const live = await connectLive()
  const view = await openTree()
  await expand(view, '城东区域', '东苑换热站')
  await clickCheck(view, '文化路换热站')
  await view.user.keyboard('{Home}')
  const before = api.calls(getDevGroups).length
  company.groups = JSON.parse(JSON.stringify(company.groups).replaceAll('东苑小区', '东苑新区'))
  live.send({ type: 'structure', parents: [townKeys.eastStation] })
  await findRow('东苑新区')
  expect(listRows('东苑小区')).toEqual([])
  await expectState('文化路换热站', 'checked', 'true')
  await expectState('东苑换热站', 'expanded', 'true')
  expect(document.activeElement).toBe(screen.getByRole('tree'))
  expect(focusedLabel()).toBe('二网监控平台')
  const requests = api.calls(getDevGroups).slice(before)
  expect(requests.map(({ id }) => id)).toEqual([Number(townKeys.eastStation)])
})
