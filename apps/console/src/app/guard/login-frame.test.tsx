import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PASSWORD } from '../testing/fake-product.testkit.ts'
import { expectAddress, renderConsole } from '../testing/render-console.testkit.tsx'

describe('§2 /loginiframe (login for embedding)', () => {
  const toAddress = (password: string, redirect = '/ewph/fmreal?sort=flow') =>
    `/loginiframe?${new URLSearchParams({ username: 'viewer', password, redirect, loginSrcId: '7' })}`

  test('signs in with the query, opens its redirect and leaves no password in the address', async () => {
    const entries = history.length
    await renderConsole({ address: toAddress(PASSWORD) })
    await expectAddress('/ewph/fmreal?sort=flow')
    expect(localStorage.getItem('loginSrcId')).toBe('7')
    expect(history.length, 'no redirect makes an entry').toBe(entries)
    expect(JSON.stringify(history.state) + location.href).not.toContain(PASSWORD)
  })

  test('shows the form with the reason if the login fails', async () => {
    await renderConsole({ address: toAddress('wrong', '/dashboard') })
    expect((await screen.findByTestId('login-error')).textContent).toContain(
      'viewer 失败原因：账号或密码错误',
    )
    expect(screen.getByLabelText('账号')).toHaveProperty('value', 'viewer')
    await expectAddress('/loginiframe?redirect=%2Fdashboard&loginSrcId=7')
  })

  test('outside a frame it does not change a session', async () => {
    const { product, api } = await renderConsole({ role: 'maintenance', address: toAddress(PASSWORD) })
    await expectAddress('/loginiframe?redirect=%2Fewph%2Ffmreal%3Fsort%3Dflow&loginSrcId=7')
    expect(await screen.findByLabelText('密码')).toHaveProperty('value', '')
    const token = localStorage.getItem('heighten') ?? ''
    expect(token).toContain('maintenance')
    expect(product.isAlive(token)).toBe(true)
    expect(api.paths()).not.toContain('/usrCloud/user/login')
  })

  describe('in a frame', () => {
    beforeEach(() => void vi.stubGlobal('top', {}))

    test('the portal decides who the user is: the session of the previous user ends', async () => {
      const { product, load } = await renderConsole({ role: 'maintenance' })
      const before = localStorage.getItem('heighten') ?? ''
      await load(toAddress(PASSWORD))
      await screen.findByTestId('user-menu')
      await expectAddress('/ewph/fmreal?sort=flow')
      expect(localStorage.getItem('heighten')).not.toBe(before)
      await waitFor(() => expect(product.isAlive(before)).toBe(false))
    })

    test('a failed login ends no session', async () => {
      const { product } = await renderConsole({ role: 'maintenance', address: toAddress('wrong') })
      await screen.findByTestId('login-error')
      const token = localStorage.getItem('heighten') ?? ''
      expect(token).toContain('maintenance')
      expect(product.isAlive(token)).toBe(true)
    })
  })
})
