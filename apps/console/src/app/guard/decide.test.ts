import { expect, test } from 'vitest'
import { type Decision, decide, type GuardState, type Target } from './decide.ts'

const signedOut: GuardState = { signedIn: false, accessLoaded: false }
const fresh: GuardState = { signedIn: true, accessLoaded: false }
const ready: GuardState = { signedIn: true, accessLoaded: true }
const at = (pathname: string, search = ''): Target => ({ pathname, search })

const rules: readonly [string, GuardState, Target, Decision][] = [
  ['signed in, the login leads to the start', ready, at('/login'), { kind: 'go', to: '/' }],
  ['also before the modules are loaded', fresh, at('/login'), { kind: 'go', to: '/' }],
  ['signed in with modules, every page passes', ready, at('/ewph/fmreal'), { kind: 'pass' }],
  ['signed in without modules, they are loaded first', fresh, at('/ewph/fmreal'), { kind: 'load-access' }],
  ['signed out, the login passes', signedOut, at('/login', '?redirect=%2F'), { kind: 'pass' }],
  ['signed out, the embedded login passes', signedOut, at('/loginiframe'), { kind: 'pass' }],
  [
    'signed out, any other page leads to the login and back',
    signedOut,
    at('/ewph/fmreal', '?sort=flow'),
    { kind: 'go', to: '/login?redirect=%2Fewph%2Ffmreal%3Fsort%3Dflow' },
  ],
  ['signed out, /404 too', signedOut, at('/404'), { kind: 'go', to: '/login?redirect=%2F404' }],
]

test.each(rules)('%s', (_rule, state, target, decision) => {
  expect(decide(state, target)).toEqual(decision)
})

test('account and password in the query are kept and leave the address', () => {
  expect(decide(signedOut, at('/dashboard', '?username=a&password=b&x=1'))).toEqual({
    kind: 'go',
    to: '/login?redirect=%2Fdashboard%3Fx%3D1',
    keep: { account: 'a', password: 'b' },
  })
  expect(decide(signedOut, at('/loginiframe', '?username=a&password=b'))).toEqual({
    kind: 'go',
    to: '/loginiframe',
    keep: { account: 'a', password: 'b' },
  })
})
