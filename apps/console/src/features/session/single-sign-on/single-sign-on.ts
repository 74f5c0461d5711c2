import {
  finishSingleSignOn,
  startSingleSignOn,
} from '@isotherm/contract/endpoints/administration/single-sign-on'
import { z } from 'zod'
import { call } from '../../../shared/api/client.ts'
import type { Tokens } from '../../../shared/session/tokens.ts'
import { createSignIn } from '../sign-in/create-sign-in.ts'
import { storeDefaultSource } from '../sign-in/login-source.ts'
import { serverLogout } from '../sign-in/server-logout.ts'
import { storedLogin } from '../sign-in/sign-in.ts'

/** Key in the session storage for a sign-in that continues at the provider. */
const KEY = 'isotherm.singleSignOn'

const pending = z.object({ secret: z.string(), redirect: z.string().nullable() })

/** What the provider adds to the address of the login page. */
const answered = z.object({
  state: z.string().min(1),
  code: z.string().optional(),
  iss: z.string().optional(),
})
export type ProviderAnswer = z.infer<typeof answered>

/** The answer of the provider in a query; undefined for an ordinary visit of the login page. */
export const findProviderAnswer = (search: URLSearchParams): ProviderAnswer | undefined =>
  answered.safeParse(Object.fromEntries(search)).data

/** Opens the page of the company's provider. `redirect`: where the user goes after the sign-in. */
export async function openProvider(redirect: string | null): Promise<void> {
  const { url, secret } = await call(startSingleSignOn, {}, { quiet: true })
  sessionStorage.setItem(KEY, JSON.stringify({ secret, redirect }))
  window.location.assign(url)
}

function takePending(): z.infer<typeof pending> | undefined {
  const stored = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  try {
    return pending.parse(JSON.parse(stored ?? ''))
  } catch {
    return undefined
  }
}

/** A sign-in that has come back: the provider's answer, and the secret of the tab that started it. */
interface Returned {
  readonly answer: ProviderAnswer
  readonly secret: string
}

async function finish({ answer, secret }: Returned): Promise<Omit<Tokens, 'expiresAt'>> {
  const { code = '-', state, iss } = answer
  const input = { secret, code, state, ...(iss !== undefined && { iss }) }
  const { token, data, utype, uid } = await call(finishSingleSignOn, input, { quiet: true })
  await storeDefaultSource()
  return { first: token, second: data, userType: utype, uid: String(uid) }
}

const signIn = createSignIn({
  store: localStorage,
  now: Date.now,
  logIn: finish,
  endOnServer: serverLogout.send,
})

/** Ends the sign-in by the provider's answer and stores the session. Returns where the user goes. */
export async function finishAtProvider(answer: ProviderAnswer): Promise<string | null> {
  const { secret = '-', redirect = null } = takePending() ?? {}
  await signIn({ answer, secret }, { as: 'replace' })
  // An earlier user of this tab must not be the one who renews this session.
  storedLogin.forget()
  return redirect
}
