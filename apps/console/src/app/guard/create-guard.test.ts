import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCanonical } from './canonical-path.ts'
import { createGuard, type Verdict } from './create-guard.ts'
import type { Credentials, Target } from './guard-target.ts'

type Answer = 'loaded' | 'refused' | 'unreachable'

/** A console with a fake user, other tabs and server, which the test controls. */
function createWorld(start: { signedIn?: string; answer?: Answer } = {}) {
  const world = {
    session: start.signedIn,
    answer: start.answer ?? 'loaded',
    /** The previous user of the tab. */
    lastUser: undefined as string | undefined,
    framed: false,
    access: undefined as string | undefined,
    loads: 0,
    said: 0,
    credentials: undefined as Credentials | undefined,
    source: undefined as string | undefined,
    address: '',
    /** Runs while the modules are loading. */
    meanwhile: () => {},
  }
  const guard = createGuard<string>({
    findSession: () => world.session,
    hadAnotherUser: () =>
      world.session !== undefined && world.lastUser !== undefined && world.lastUser !== world.session,
    isFramed: () => world.framed,
    toCanonical: createCanonical(['/dashboard', '/ewph/fmreal']),
    holdsAccess: () => world.access !== undefined,
    async loadAccess() {
      world.loads += 1
      const { answer, session } = world
      await Promise.resolve()
      world.meanwhile()
      if (answer === 'loaded') return `modules of ${session}`
      throw new Error(answer)
    },
    storeAccess(access) {
      world.access = access
      world.lastUser = world.session
    },
    clearAccess() {
      world.access = undefined
    },
    isRefusal: (error) => error instanceof Error && error.message === 'refused',
    endSession() {
      world.session = undefined
      world.access = undefined
      world.said += 1
    },
    storeCredentials(credentials) {
      world.credentials = credentials
    },
    storeLoginSource(id) {
      world.source = id
    },
    replaceAddress(address) {
      world.address = address
    },
  })
  return { world, guard, go: (address: string) => guard.admit(toTarget(address)) }
}

function toTarget(address: string): Target {
  const { pathname, search, hash } = new URL(address, 'http://console.test')
  return { pathname, search, hash }
}

const toVerdict = (verdict: Verdict) => (verdict.kind === 'go' ? verdict.to : verdict.kind)

test('§2 Guard rules: both tokens exist and the target is /login: redirect to /', async () => {
  expect(toVerdict(await createWorld({ signedIn: '7' }).go('/login'))).toBe('/')
  const ready = createWorld({ signedIn: '7' })
  await ready.go('/dashboard')
  expect(toVerdict(await ready.go('/login?redirect=%2Fx'))).toBe('/')
})

test('§2 Guard rules: both tokens exist and the permitted-module list is already loaded: go through', async () => {
  const { go, world } = createWorld({ signedIn: '7' })
  await go('/dashboard')
  expect(toVerdict(await go('/ewph/fmreal'))).toBe('pass')
  expect(world.loads).toBe(1)
})

test('§2 Guard rules: both tokens exist and the module list is not loaded: fetch, then retry the navigation', async () => {
  const { go, world } = createWorld({ signedIn: '7' })
  expect(toVerdict(await go('/ewph/fmreal'))).toBe('pass')
  expect(world.access).toBe('modules of 7')
})

test('§2 Guard rules: on failure of that fetch: clear both tokens, show the error, go to /login?redirect={path}', async () => {
  const { go, world } = createWorld({ signedIn: '7', answer: 'refused' })
  expect(toVerdict(await go('/ewph/fmreal?sort=flow#row-3'))).toBe(
    '/login?redirect=%2Fewph%2Ffmreal%3Fsort%3Dflow%23row-3',
  )
  expect(world).toMatchObject({ session: undefined, said: 1 })
})

test('§2 Guard rules: a token is missing: /login and /loginiframe pass, any other path goes to /login?redirect={path}', async () => {
  const { go } = createWorld()
  expect(toVerdict(await go('/login?redirect=%2F'))).toBe('pass')
  expect(toVerdict(await go('/loginiframe'))).toBe('pass')
  expect(toVerdict(await go('/dashboard'))).toBe('/login?redirect=%2Fdashboard')
  expect(toVerdict(await go('/404'))).toBe('/login?redirect=%2F404')
})

test('§2 Guard rules: if the query holds username and password, they are stored before redirecting to login', async () => {
  const { go, world } = createWorld()
  expect(toVerdict(await go('/dashboard?username=a&password=b%20c&x=1#h'))).toBe('/dashboard?x=1#h')
  expect(world).toMatchObject({ credentials: { account: 'a', password: 'b c' }, address: '/dashboard?x=1#h' })
  expect(toVerdict(await go('/dashboard?x=1#h'))).toBe('/login?redirect=%2Fdashboard%3Fx%3D1%23h')
})

test('credentials in an address do not replace an existing session, but are removed from the address', async () => {
  const { go, world } = createWorld({ signedIn: '7' })
  expect(toVerdict(await go('/dashboard?username=a&password=b'))).toBe('/dashboard')
  expect(world).toMatchObject({ credentials: undefined, address: '/dashboard', session: '7' })
})

test('§2 /loginiframe (login for embedding): outside a frame, a link to it does not replace a current session', async () => {
  const { go, world } = createWorld({ signedIn: '7' })
  expect(toVerdict(await go('/loginiframe?username=a&password=b&redirect=%2F'))).toBe(
    '/loginiframe?redirect=%2F',
  )
  expect(world).toMatchObject({ credentials: undefined, session: '7' })
  expect(toVerdict(await go('/LoginIframe/?username=a&password=b'))).toBe('/loginiframe')
  expect(world.credentials).toBeUndefined()
})

test('§2 Guard rules: /LOGIN and /login/ are /login, and every spelling of a path leads to the same page', async () => {
  const { go } = createWorld({ signedIn: '7' })
  expect(toVerdict(await go('/LOGIN?redirect=%2F'))).toBe('/login?redirect=%2F')
  expect(toVerdict(await go('/login/'))).toBe('/login')
  expect(toVerdict(await go('/login'))).toBe('/')
  expect(toVerdict(await go('/EWPH/fmreal/?Sort=Flow#Row'))).toBe('/ewph/fmreal?Sort=Flow#Row')
})

test('G10: a user never opens the page that another user left open in this tab', async () => {
  const { go, world } = createWorld({ signedIn: '7', answer: 'unreachable' })
  world.lastUser = '7'
  expect((await go('/ewph/fmreal?id=3')).kind).toBe('retry')
  Object.assign(world, { session: '8', answer: 'loaded' })
  expect(toVerdict(await go('/ewph/fmreal?id=3'))).toBe('/')
  expect(toVerdict(await go('/'))).toBe('pass')
  expect(toVerdict(await go('/ewph/fmreal?id=3'))).toBe('pass')
})

test('§2 /loginiframe (login for embedding): in a frame the portal decides who the user is, even if there is a session', async () => {
  const { go, world } = createWorld({ signedIn: '7' })
  world.framed = true
  expect(toVerdict(await go('/loginiframe?username=a&password=b&redirect=%2F'))).toBe(
    '/loginiframe?redirect=%2F',
  )
  expect(world.credentials).toEqual({ account: 'a', password: 'b' })
  expect(toVerdict(await go('/loginiframe?redirect=%2F'))).toBe('pass')
})

test('§3 loginSrcId: the login-source id of an address is stored', async () => {
  const { go, world } = createWorld()
  await go('/login?loginSrcId=0')
  expect(world.source).toBe('0')
  await go('/login?loginSrcId=%3Cscript%3E')
  expect(world.source).toBe('0')
})

test('a timeout while loading the modules offers a retry and clears nothing; the retry continues the navigation', async () => {
  const { go, world, guard } = createWorld({ signedIn: '7', answer: 'unreachable' })
  expect(await go('/dashboard')).toMatchObject({ kind: 'retry', cause: new Error('unreachable') })
  expect(world).toMatchObject({ session: '7', said: 0 })
  expect(guard.state()).toBe('retry')
  world.answer = 'loaded'
  expect(toVerdict(await go('/dashboard'))).toBe('pass')
})

test('navigations during the same request share it', async () => {
  const { go, world } = createWorld({ signedIn: '7' })
  const verdicts = await Promise.all([go('/a'), go('/b'), go('/c')])
  expect(verdicts.map(toVerdict)).toEqual(['pass', 'pass', 'pass'])
  expect(world.loads).toBe(1)
})

test('the modules of one user are never used for another user who signed in during the request', async () => {
  const { go, world } = createWorld({ signedIn: '7' })
  world.meanwhile = () => {
    world.session = '8'
    world.meanwhile = () => {}
  }
  expect(toVerdict(await go('/dashboard'))).toBe('pass')
  expect(world).toMatchObject({ access: 'modules of 8', loads: 2 })
})

test('§2 the route table can be rebuilt on logout: a logout during the fetch shows the login, and nothing is stored', async () => {
  const { go, world } = createWorld({ signedIn: '7' })
  world.meanwhile = () => {
    world.session = undefined
  }
  expect(toVerdict(await go('/dashboard'))).toBe('/login?redirect=%2Fdashboard')
  expect(world.access).toBeUndefined()
})

const addresses = fc.constantFrom(
  '/',
  '/login',
  '/loginiframe',
  '/404',
  '/ewph/fmreal?a=1',
  '/x?username=a&password=b',
)
const answers = fc.constantFrom<Answer>('loaded', 'refused', 'unreachable')
const sessions = fc.constantFrom(undefined, '7', '8')
const moment = fc.record({ address: addresses, answer: answers, session: sessions, later: sessions })

test('G1: no page opens without both tokens and the modules of the same user', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { maxLength: 12 }), async (moments) => {
      const { world, go } = createWorld()
      for (const { address, answer, session, later } of moments) {
        Object.assign(world, { answer, session })
        world.meanwhile = () => {
          world.session = later
        }
        const verdict = await go(address)
        if (verdict.kind !== 'pass' || ['/login', '/loginiframe'].includes(address)) continue
        expect(world.session).toBeDefined()
        expect(world.access).toBe(`modules of ${world.session}`)
      }
    }),
  )
})

test('G2: the login pages open regardless of the modules, /loginiframe in every state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { maxLength: 8 }), async (moments) => {
      const { world, go } = createWorld()
      for (const { address, answer, session } of moments) {
        Object.assign(world, { answer, session })
        await go(address)
        expect(toVerdict(await go('/loginiframe'))).toBe('pass')
        if (world.session === undefined) expect(toVerdict(await go('/login'))).toBe('pass')
      }
    }),
  )
})

test('G4: every navigation ends: redirects of the guard never form a cycle', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 8 }), async (moments) => {
      const { world, go } = createWorld()
      for (const { address, answer, session } of moments) {
        Object.assign(world, { answer, session })
        let verdict = await go(address)
        let hops = 0
        while (verdict.kind === 'go') {
          hops += 1
          expect(hops, `${address} with ${answer}`).toBeLessThanOrEqual(4)
          verdict = await go(verdict.to)
        }
      }
    }),
  )
})

test('G4: a navigation also ends if the user changes at every request', async () => {
  const { world, go } = createWorld({ signedIn: '1' })
  let next = 2
  world.meanwhile = () => {
    world.session = String(next++)
  }
  expect((await go('/dashboard')).kind).toBe('retry')
  expect(world.loads).toBeLessThanOrEqual(5)
})

test('G7: no redirect target and no address in the address bar contains a password', async () => {
  const secret = fc.string({
    minLength: 8,
    maxLength: 12,
    unit: fc.constantFrom('a', 'Z', '7', '&', '%', '#', ' '),
  })
  await fc.assert(
    fc.asyncProperty(secret, sessions, addresses, fc.nat(3), async (password, session, path, depth) => {
      const { world, go } = createWorld(session === undefined ? {} : { signedIn: session })
      const query = new URLSearchParams({ username: 'a', password })
      for (let level = 0; level < depth; level += 1) {
        const redirect = `/login?${query}`
        for (const name of [...query.keys()]) query.delete(name)
        query.set('redirect', redirect)
      }
      let verdict = await go(`${path.split('?')[0]}?${query}`)
      for (let hop = 0; verdict.kind === 'go' && hop < 4; hop += 1) {
        for (const address of [verdict.to, world.address]) {
          expect(address).not.toContain('password')
        }
        verdict = await go(verdict.to)
      }
    }),
  )
})
