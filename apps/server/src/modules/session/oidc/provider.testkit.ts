import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

/** Where the provider sends browsers back to. No test opens it. */
const ORIGIN = 'http://127.0.0.1:9'
const REDIRECT_URI = `${ORIGIN}/login`
const CLIENT = { id: 'isotherm', secret: 'the secret of this client' } as const

/** Account name of the person who is signed in at first. */
export const PROVIDED_ACCOUNT = 'wang.wu'

/** A person at the provider. */
export interface Person {
  readonly sub: string
  readonly account: string
  readonly groups: readonly string[]
}

async function createKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }
}

/** Signs claims as the provider does. */
export const signWith = async (key: JWK, claims: JWTPayload): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: key.kid ?? '' })
    .sign(await importJWK(key, 'RS256'))

/**
 * Opens the page of a provider as a browser does, and follows it back to the console. Returns what the console gets in its
 * address.
 */
export async function followProvider(url: string) {
  const cookies = new Map<string, string>()
  for (let address = url, hops = 0; hops < 10; hops++) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { Cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    address = new URL(next, address).href
    if (address.startsWith(REDIRECT_URI)) {
      const { code = '', state = '', iss, error } = Object.fromEntries(new URL(address).searchParams)
      return { code, state, ...(iss !== undefined && { iss }), ...(error !== undefined && { error }) }
    }
  }
  throw new Error('the provider does not send the browser back')
}

interface ProviderOptions {
  /** Where the provider sends browsers back to; by default where no test opens anything. */
  readonly origin?: string
  /** Whether its page asks before it signs a browser in; without it every browser is signed in at once. */
  readonly asks?: boolean
}

/** A page with one button. */
const toPage = (account: string): string => `<!doctype html><meta charset="utf-8"><title>Provider</title>
  <form method="post"><h1>Company sign-in</h1><button>Continue as ${account}</button></form>`

/** A real OpenID Connect provider. Its page signs browsers in as the present person. */
export async function startProvider({ origin = ORIGIN, asks = false }: ProviderOptions = {}) {
  let person: Person = { sub: 'wang', account: PROVIDED_ACCOUNT, groups: ['dispatchers'] }
  const removed = new Set<string>()
  let key = await createKey('first')
  let tamper: ((claims: JWTPayload, key: JWK) => Promise<string>) | undefined
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

  function build(): void {
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [`${origin}/login`] }],
      jwks: { keys: [key as never] },
      scopes: ['openid', 'profile', 'groups'],
      claims: { openid: ['sub'], profile: ['name', 'preferred_username'], groups: ['groups'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of the tests only'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      async findAccount(_context, sub) {
        if (removed.has(sub)) return undefined
        const { account, groups } = person
        return {
          accountId: sub,
          claims: async () => ({ sub, preferred_username: account, name: account, groups: [...groups] }),
        }
      },
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: CLIENT.id,
          ...(oidc.session?.accountId !== undefined && { accountId: oidc.session.accountId }),
        })
        grant.addOIDCScope('openid profile groups')
        await grant.save()
        return grant
      },
    })
    provider.use(async (context, next) => {
      if (context.path.startsWith('/interaction/')) {
        if (asks && context.method === 'GET') {
          context.type = 'html'
          context.body = toPage(person.account)
          return
        }
        context.respond = false
        await provider.interactionFinished(context.req, context.res, { login: { accountId: person.sub } })
        return
      }
      await next()
      const body: unknown = context.body
      if (!tamper || context.path !== '/token' || typeof body !== 'object' || body === null) return
      if ('id_token' in body && typeof body.id_token === 'string') {
        context.body = { ...body, id_token: await tamper(decodeJwt(body.id_token), key) }
      }
    })
    handle = provider.callback()
  }
  build()

  return {
    settings: {
      ISOTHERM_OIDC_ISSUER: issuer,
      ISOTHERM_OIDC_CLIENT_ID: CLIENT.id,
      ISOTHERM_OIDC_CLIENT_SECRET: CLIENT.secret,
      ISOTHERM_OIDC_ORIGIN: origin,
      ISOTHERM_OIDC_ROLES: 'dispatchers=102,viewers=106',
    },
    /** The person who is signed in from now on. */
    become: (next: Person) => {
      person = next
    },
    remove: (sub: string) => removed.add(sub),
    /** Replaces the key: the old one is not published any more. Returns the old one. */
    async rotate(): Promise<JWK> {
      const old = key
      key = await createKey(`after ${old.kid}`)
      build()
      return old
    },
    /** Replaces identity tokens by the result of the function; without one they are the provider's own again. */
    tamperWith: (next?: typeof tamper) => {
      tamper = next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
