import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSafeRedirect } from '../../features/session/login/safe-redirect.ts'
import { findCredentials, findLoginSource, toAddress, toGuardEvent, toLoginPath } from './guard-target.ts'

test('§2 /login?redirect={path}: path, query and hash are restored completely', () => {
  const segment = fc.string({ unit: fc.constantFrom('a', '风', ' ', '%', '&', '=', '?', '#', '+', '/') })
  fc.assert(
    fc.property(segment, segment, segment, (path, query, hash) => {
      const target = new URL('http://console.test/page')
      target.pathname = `/page/${path}`
      target.search = query
      target.hash = hash
      const address = toAddress(target)
      const login = new URL(toLoginPath(address), 'http://console.test')
      expect(login.searchParams.get('redirect')).toBe(address)
      expect(toSafeRedirect(login.searchParams.get('redirect'))).toBe(address)
    }),
  )
})

test('G8: every redirect leads to this console', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '//',
    '%2F',
    '%5C',
    '%09',
    '%0A',
    '\t',
    '\n',
    '@',
    ':',
    'javascript:',
    'https:',
    'evil.test',
    '.',
    '..',
    '?',
    '#',
    ' ',
    'data:',
    '%00',
    '%252F%252F',
  )
  const nasty = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(nasty, fc.boolean(), (text, decoded) => {
      let redirect = text
      if (decoded) {
        try {
          redirect = decodeURIComponent(text)
        } catch {
          // Not a valid encoding: used unchanged.
        }
      }
      const target = new URL(toSafeRedirect(redirect), 'http://console.test')
      expect(target.origin).toBe('http://console.test')
      expect(target.pathname.startsWith('//')).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'https://evil.test/dashboard',
  'https:evil.test',
  '/.//evil.test',
  '/x/..//evil.test',
])('never off-site: %j leads to /', (redirect) => {
  expect(toSafeRedirect(redirect)).toBe('/')
})

test('§2 Public routes: the login paths are distinguished from pages by their complete name', () => {
  expect(toGuardEvent('/login')).toBe('to-login')
  expect(toGuardEvent('/loginiframe')).toBe('to-frame')
  for (const path of ['/', '/404', '/login/', '/loginx', '/Login']) expect(toGuardEvent(path)).toBe('to-page')
})

test('a password without an account is removed from the address and not stored', () => {
  const found = findCredentials({ pathname: '/x', search: '?password=b&y=1', hash: '' })
  expect(found).toEqual({ credentials: undefined, clean: { pathname: '/x', search: '?y=1', hash: '' } })
  expect(findCredentials({ pathname: '/x', search: '?username=b', hash: '' })).toBeUndefined()
})

test('G7: a password inside the redirect address is removed, the rest of that address stays', () => {
  const clean = (redirect: string) => {
    const search = `?${new URLSearchParams({ redirect, x: '1' })}`
    const found = findCredentials({ pathname: '/login', search, hash: '' })
    return found && Object.fromEntries(new URLSearchParams(found.clean.search))
  }
  expect(clean('/ewph/fmreal?username=a&password=b&sort=flow#h')).toEqual({
    redirect: '/ewph/fmreal?sort=flow#h',
    x: '1',
  })
  const inner = new URLSearchParams({ redirect: '/x?password=b' })
  expect(clean(`/login?${inner}`)).toEqual({ redirect: '/login?redirect=%2Fx', x: '1' })
  expect(clean('https://evil.test/?password=b')).toEqual({ x: '1' })
  expect(clean('//[?password=b')).toEqual({ x: '1' })
  expect(clean('/ewph/fmreal?sort=flow')).toBeUndefined()
})

test('§9 login-source ids: 0, 128 and other integers', () => {
  expect(['0', '128', '7', '-1', '1.5', '', 'x'].map((id) => findLoginSource(`?loginSrcId=${id}`))).toEqual([
    '0',
    '128',
    '7',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
