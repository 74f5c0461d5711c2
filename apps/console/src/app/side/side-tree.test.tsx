import { act } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { chooseItem, eventually, findRow } from '../../features/network/panel/tree-panel.testkit.tsx'
import { startTreeServer } from '../../features/network/panel/tree-server.testkit.ts'
import { stubLayout } from '../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { findPage } from '../pages.ts'
import { clearTabs, recordVisit } from '../tabs/tabs-store.ts'
import { SideTree } from './side-tree.tsx'

beforeEach(clearTabs)

test('a page opens with the last address of its tab', async () => {
  startTreeServer()
  stubLayout()
  const view = await renderPart(<SideTree />, {
    permissions: ['pewph', 'pe-fmreal', 'pe-fmhistory'],
    address: '/ewph/fmhistory',
  })
  act(() => recordVisit(findPage('/ewph/fmreal'), '/ewph/fmreal?sort=serial'))
  await findRow('城东区域')
  await chooseItem(view, '城东区域', /实时/)
  await eventually(() => expect(view.address()).toBe('/ewph/fmreal?sort=serial'))
})
