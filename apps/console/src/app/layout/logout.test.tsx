import { toUrlPath } from '@isotherm/contract/endpoint'
import { getUser, login } from '@isotherm/contract/endpoints/administration/session'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { queryProjectList } from '@isotherm/contract/endpoints/network/network'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeProduct } from '../testing/fake-product.testkit.ts'
import { expectAddress, fillLogin, findTab, renderConsole } from '../testing/render-console.testkit.tsx'

const REAL = '/ewph/fmreal'

test('§4 Logout clears the state: fetched data, the tree’s selection and the live subscription are requested again', async () => {
  const product = startFakeProduct()
  const { api, live } = product
  api.answer(getDevsFromPrjTree, { datalist: [], total: 0 })
  const { user, logOut, openPage } = await renderConsole({ role: 'dispatcher', address: REAL, product })
  const findSubscription = (place: number) =>
    waitFor(() => {
      const found = live.connections[place]?.sent.find((request) => request.type === 'subscribe')
      if (found?.type !== 'subscribe') throw new Error(`connection ${place} has no subscription`)
      return found
    })
  const check = (await screen.findByRole('treeitem', { name: /城东区域/ })).querySelector(
    '[data-part="check"]',
  )
  if (!check) throw new Error('the row has no check box')
  const { sub } = await findSubscription(0)
  live.send({ type: 'states', sub, cursor: { epoch: 'test', version: 41 }, full: true, rows: [] })
  await user.click(check)
  await screen.findByRole('treeitem', { name: /城东区域/, checked: true })

  await logOut()
  await expectAddress('/login?redirect=%2F')
  await fillLogin(user, 'viewer')
  await expectAddress('/dashboard')
  await openPage(REAL)
  await findTab(REAL)
  await screen.findByRole('treeitem', { name: /城东区域/ })
  expect(screen.queryByRole('treeitem', { checked: true })).toBeNull()
  expect(screen.queryByRole('treeitem', { selected: true })).toBeNull()
  expect((await findSubscription(1)).since, 'nothing goes on from the data of the dispatcher').toBeUndefined()
  expect(live.connections, 'the viewer has a connection of his own').toHaveLength(2)
  const paths = api.paths()
  const anew = paths.slice(paths.lastIndexOf(toUrlPath(login)))
  for (const endpoint of [getUser, queryProjectList, getDevsFromPrjTree])
    expect(anew).toContain(toUrlPath(endpoint))
})
