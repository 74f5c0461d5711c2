import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PageDefinition } from '../../../shared/page.ts'
import {
  chooseItem,
  clickCheck,
  eventually,
  expand,
  expectState,
  findRow,
  listNotices,
  listRows,
  openTree,
  pageText,
  stateOf,
} from './tree-panel.testkit.tsx'
import { startTreeServer } from './tree-server.testkit.ts'

const historyPage: PageDefinition = {
  path: '/ewph/fmhistory',
  title: () => '阀门历史',
  nodeAction: () => '历史',
  load: () => new Promise(() => {}),
}

test('offers the pages for a node: the node becomes the only selection and the page opens', async () => {
  startTreeServer()
  const view = await openTree({ nodePages: [historyPage] })
  await expand(view, '城东区域', '东苑换热站', '东苑小区')
  await findRow('一号楼')
  await clickCheck(view, '城西区域')
  await expectState('城西区域', 'checked', 'true')
  await chooseItem(view, '一号楼', '历史')
  await eventually(() => expect(view.address()).toBe('/ewph/fmhistory'))
  expect(screen.getByTestId('tree-selection').textContent).toBe('一号楼')
  expect(stateOf('城西区域', 'checked')).toBe('false')
  await eventually(() => expect(pageText()).toBe('一号楼'))
})

test('all fields of a node can be copied', async () => {
  startTreeServer()
  const view = await openTree()
  await chooseItem(view, '城东区域', '复制节点信息')
  await eventually(() => expect(listNotices()).toEqual([{ level: 'success', text: '已复制', durationS: 3 }]))
  const copied: unknown = JSON.parse(await navigator.clipboard.readText())
  expect(copied).toMatchObject({ label: '城东区域', level: 3, dec: 'area', nodetype: 'group' })
})

test('checks only this, unchecks all, expands and collapses all below', async () => {
  startTreeServer()
  const view = await openTree()
  await clickCheck(view, '城西区域')
  await chooseItem(view, '城东区域', '仅勾选此节点')
  await expectState('城西区域', 'checked', 'false')
  await expectState('城东区域', 'checked', 'true')
  await chooseItem(view, '城东区域', '取消全部勾选')
  await expectState('二网监控平台', 'checked', 'false')
  await chooseItem(view, '城东区域', '展开全部下级')
  await findRow('101')
  await chooseItem(view, '城东区域', '收起全部下级')
  await eventually(() => expect(listRows('东苑换热站')).toEqual([]))
})
