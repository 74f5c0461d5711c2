import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../shared/api/api-error.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { clearNotFoundPlace, storeNotFoundPlace } from '../guard/not-found-place.ts'
import { findPage } from '../pages.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { RetryPage } from './retry-page.tsx'

describe('pages shown by the guard', () => {
  test('an unknown address is named', async () => {
    storeNotFoundPlace('/no/such', { kind: 'unknown' })
    await renderPart(<NotFoundPage />)
    expect(screen.getByText('没有这个页面')).toBeTruthy()
    expect(screen.getByText('您要打开的是 /no/such')).toBeTruthy()
    clearNotFoundPlace()
  })

  test('a page without permission names the missing module and the users who can grant it', async () => {
    const page = findPage('/ewph/fmreal')
    storeNotFoundPlace('/ewph/fmreal', { kind: 'lacking', group: 'pewph', page })
    const { user, address } = await renderPart(<NotFoundPage />, { address: '/404' })
    const text = screen.getByTestId('lacking-module').textContent ?? ''
    expect(text).toContain('您的账号没有“灌溉监控 / 阀门实时监测”模块')
    expect(text).toContain('请联系本单位负责角色和权限的管理员')
    await user.click(screen.getByRole('button', { name: '返回首页' }))
    expect(address()).toBe('/')
    clearNotFoundPlace()
  })

  test('a server that cannot be reached leaves the login valid and offers a retry', async () => {
    const cause = new ApiError('network.failed', 'No connection to the server')
    await renderPart(<RetryPage cause={cause} />, { language: 'en' })
    expect(screen.getByText(/You are still logged in/)).toBeTruthy()
    expect(screen.getByText('No connection to the server')).toBeTruthy()
    expect(screen.getByTestId('retry')).toBeTruthy()
  })
})
