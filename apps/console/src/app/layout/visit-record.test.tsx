import { addUserOp } from '@isotherm/contract/endpoints/administration/operations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { findTab, goWithin, renderConsole } from '../testing/render-console.testkit.tsx'

test('§7 each navigation to a page is recorded once, with its path and title, without its query', async () => {
  const { api, openPage } = await renderConsole({ role: 'dispatcher', address: '/ewph/fmreal?sort=flow' })
  const visits = () => api.calls(addUserOp).map(({ kind, path, title }) => [kind, path, title])
  await findTab('/ewph/fmreal')
  await waitFor(() => expect(visits()).toEqual([['visit', '/ewph/fmreal', '阀门实时监测']]))
  await goWithin('/ewph/fmreal?sort=-flow')
  await openPage('/ewph/fmhistory')
  await waitFor(() => expect(visits().map(([, path]) => path)).toEqual(['/ewph/fmreal', '/ewph/fmhistory']))
})

test('a visit that cannot be recorded does not disturb the user', async () => {
  const { api } = await renderConsole({ role: 'dispatcher', address: '/ewph/fmreal' })
  api.refuse(addUserOp, { code: 'server.unavailable', text: '服务器忙' })
  await findTab('/ewph/fmreal')
  await goWithin('/ewph/fmhistory')
  await findTab('/ewph/fmhistory')
  await waitFor(() => expect(api.calls(addUserOp)).toHaveLength(2))
  expect(screen.queryByText('服务器忙')).toBeNull()
})
