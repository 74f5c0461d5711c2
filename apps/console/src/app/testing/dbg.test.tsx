import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fillLogin, readAddress, renderConsole } from './render-console.testkit.tsx'

test('one', async () => {
  await renderConsole({ role: 'dispatcher', address: '/ewph/fmcontrol' })
  expect(await screen.findByRole('treeitem', { name: /城东区域/ })).toBeTruthy()
})

test('dbg', async () => {
  const t = Date.now()
  const { user, api } = await renderConsole({ address: '/ewph/fmhistory?range=15m#chart' })
  console.log('loaded', Date.now() - t)
  await screen.findByLabelText(/^(账号|Account)$/)
  console.log('shown', Date.now() - t)
  await fillLogin(user, 'viewer')
  console.log('filled', Date.now() - t)
  for (let i = 0; i < 12; i++) {
    await new Promise((r) => setTimeout(r, 500))
    console.log(
      readAddress(),
      api.paths().join(),
      screen.queryByTestId('login-error')?.textContent,
      JSON.stringify({ ...localStorage }),
    )
    if (i % 6 == 5) console.log(document.body.textContent)
  }
})
