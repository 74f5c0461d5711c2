import { expect, test } from 'vitest'
import { createCanonical } from './canonical-path.ts'

const toCanonical = createCanonical(['/dashboard', '/ewph/fmreal'])

test.each([
  ['/LOGIN', '/login'],
  ['/login/', '/login'],
  ['/%6Cogin', '/login'],
  ['/LoginIframe', '/loginiframe'],
  ['/EWPH/fmreal//', '/ewph/fmreal'],
  ['/ewph/', '/ewph'],
  ['/404/', '/404'],
  ['/', '/'],
  ['/No/Such/Page/', '/No/Such/Page/'],
])('§2 Screens and routes: %s is %s', (pathname, canonical) => {
  expect(toCanonical(pathname)).toBe(canonical)
})
