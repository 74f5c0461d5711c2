import { expect, test } from 'vitest'
import type { Page } from '../../shared/page.ts'
import { restoreTabs, storeTabs, toTab } from './restore-tabs.ts'

const toPage = (path: Page['path'], more: Partial<Page> = {}): Page => ({
  path,
  title: () => path,
  load: () => Promise.reject(new Error('not loaded in this test')),
  ...more,
})
const home = toPage('/dashboard', { affix: true })
const real = toPage('/ewph/fmreal', { identity: ['id'] })
const find = (path: string) => [home, real].find((page) => page.path === path)

test('stored tabs are restored with their last addresses', () => {
  const tabs = [
    toTab(home, '/dashboard'),
    toTab(real, '/ewph/fmreal?id=7&sort=flow#x'),
    toTab(real, '/ewph/fmreal'),
  ]
  expect(restoreTabs(storeTabs(tabs), find)).toEqual(tabs)
})

test('a tab of a page that no longer exists or is no longer permitted is not restored', () => {
  const stored = JSON.stringify(['/dashboard', '/ewph/fmhistory', '/ewph/fmreal'])
  expect(restoreTabs(stored, find).map((tab) => tab.key)).toEqual(['/dashboard', '/ewph/fmreal'])
})

test('a page that is stored twice is restored once', () => {
  const stored = JSON.stringify(['/ewph/fmreal?sort=a', '/ewph/fmreal?sort=b'])
  expect(restoreTabs(stored, find)).toEqual([toTab(real, '/ewph/fmreal?sort=a')])
})

test.each([null, '', '{', '7', '[7]', '["//evil.example/ewph/fmreal"]', '["/\\\\evil.example"]'])(
  'an invalid stored text gives no tabs: %j',
  (stored) => expect(restoreTabs(stored, find)).toEqual([]),
)
