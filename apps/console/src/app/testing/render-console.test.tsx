import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAddress, fillLogin, findTab, renderConsole } from './render-console.testkit.tsx'

test('a signed-in user sees the page of the address with its tab and the tree', async () => {
  await renderConsole({ role: 'dispatcher', address: '/ewph/fmcontrol' })
  await findTab('/ewph/fmcontrol')
  expect(await screen.findByRole('treeitem', { name: /城东区域/ })).toBeTruthy()
})

test('without a session the login is shown, and it leads to the page', async () => {
  const { user } = await renderConsole({ address: '/ewph/fmhistory?range=15m#chart' })
  await expectAddress('/login?redirect=%2Fewph%2Ffmhistory%3Frange%3D15m%23chart')
  await fillLogin(user, 'viewer')
  await expectAddress('/ewph/fmhistory?range=15m#chart')
})
