import { MINUTE_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { readStored } from '../support/session.ts'
import { enter, expect, test } from '../support/test.ts'

test('§9 after 90 minutes the tokens are exchanged, once for all tabs', async ({ page, context }) => {
  await context.clock.install()
  const refreshes: string[] = []
  context.on('request', (request) => {
    if (/refreshToken|ReflushToken/.test(request.url())) refreshes.push(new URL(request.url()).pathname)
  })
  await enter(page, 'irrigation')
  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(other.getByTestId('user-menu')).toBeVisible()
  const before = [await readStored(page, 'heighten'), await readStored(page, 'heightenplus')]
  await context.clock.fastForward(91 * MINUTE_MS)
  await expect.poll(() => readStored(page, 'heightenplus')).not.toBe(before[1])
  await expect.poll(() => readStored(page, 'isotherm.refreshing')).toBeNull()
  await expect.poll(() => readStored(page, 'heighten')).not.toBe(before[0])
  const now = z.number().parse(await page.evaluate('Date.now()'))
  expect(Number(await readStored(page, 'ExpiresAt'))).toBeGreaterThan(now + 119 * MINUTE_MS)
  await context.clock.fastForward(2 * MINUTE_MS)
  expect(refreshes).toEqual(['/usrCloud/user/refreshToken', '/ht-api/api/User/ReflushToken'])
})
