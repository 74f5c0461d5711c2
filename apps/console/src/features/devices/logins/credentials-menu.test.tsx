import { exportBrokerLogins, exportGatewayLogins } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { clearTreeSelection, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { catchDownloads } from '../../../shared/testing/catch-downloads.testkit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { CredentialsMenu } from './credentials-menu.tsx'

beforeEach(() => {
  clearTreeSelection()
  useTreeSelection.setState({ covering: ['7'] })
})

async function openMenu() {
  const api = startFakeApi()
  const saved = catchDownloads()
  const { user } = await renderPart(<CredentialsMenu />, { permissions: ['pd-datadevmanager'] })
  await user.click(await screen.findByTestId('credentials-menu'))
  return { api, user, saved }
}

test.each([
  ['导出密码', exportGatewayLogins],
  ['导出代理散列', exportBrokerLogins],
] as const)('%s saves those of the selected nodes, after a question', async (name, endpoint) => {
  const { api, user, saved } = await openMenu()
  api.answer(endpoint, { datalist: [] })
  await user.click(await screen.findByRole('menuitem', { name }))
  const confirm = await screen.findByRole('button', { name })
  expect(api.calls(endpoint)).toEqual([])
  await user.click(confirm)
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(api.calls(endpoint)).toEqual([{ nodes: ['7'] }])
})

test('a token for an unregistered device is made in a dialog', async () => {
  const { user } = await openMenu()
  await user.click(await screen.findByRole('menuitem', { name: '一次性令牌…' }))
  expect(await screen.findByTestId('token-serial')).toBeTruthy()
})
