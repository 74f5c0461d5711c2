import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSafeRedirect } from './safe-redirect.ts'

test('a path of the console is accepted with its query', () => {
  expect(toSafeRedirect('/ewph/fmreal?sort=flow')).toBe('/ewph/fmreal?sort=flow')
})

test.each([
  null,
  '',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  'javascript:alert(1)',
  '/login?redirect=/',
  '/./login',
  '/LOGIN',
  '/login/',
  '/%6Cogin',
])('%j leads to the start, not off the site nor in a circle', (redirect) => {
  expect(toSafeRedirect(redirect)).toBe('/')
})

test('no text leads to another site', () => {
  const nasty = fc.string({ unit: fc.constantFrom('/', '\\', '.', '\t', '@', ':', 'e', 'h', '?', '#', '\n') })
  fc.assert(
    fc.property(nasty, (text) => {
      const target = new URL(toSafeRedirect(`/${text}`), 'http://console.test')
      expect(target.origin).toBe('http://console.test')
    }),
  )
})
