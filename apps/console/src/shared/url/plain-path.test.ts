import { expect, test } from 'vitest'
import { toPlainPath } from './plain-path.ts'

test.each([
  ['/', '/'],
  ['/LOGIN', '/login'],
  ['/login//', '/login'],
  ['/%6Cogin', '/login'],
  ['/ewph/fmreal/', '/ewph/fmreal'],
  ['/%E9', '/%e9'],
])('%s is the router’s %s', (pathname, plain) => {
  expect(toPlainPath(pathname)).toBe(plain)
})
