import { withdrawConnectionToken } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { WithdrawUnregistered } from './withdraw-unregistered.tsx'

test('the open token of a serial is withdrawn, and the page shows whether there was one', async () => {
  const api = startFakeApi()
  const target = { serial: 'C-9', node: '1' }
  const { user } = await renderPart(<WithdrawUnregistered target={target} />, {
    permissions: ['pd-datadevmanager'],
  })
  api.answer(withdrawConnectionToken, { wasOpen: true })
  await user.click(await screen.findByTestId('token-withdraw'))
  expect(await screen.findByText(/令牌已作废/)).toBeTruthy()
  expect(api.calls(withdrawConnectionToken)).toEqual([target])
  api.answer(withdrawConnectionToken, { wasOpen: false })
  await user.click(screen.getByTestId('token-withdraw'))
  expect(await screen.findByText(/没有有效的令牌/)).toBeTruthy()
})

test('nothing is withdrawn while no serial is named', async () => {
  startFakeApi()
  await renderPart(<WithdrawUnregistered target={undefined} />, { permissions: ['pd-datadevmanager'] })
  expect(await screen.findByTestId('token-withdraw')).toHaveProperty('disabled', true)
})
