import { insertUserByTk } from '@isotherm/contract/endpoints/administration/users'
import * as oidc from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../../platform/app-error.ts'
import type { OidcConfig } from '../../../platform/config/oidc.ts'
import type { Log } from '../../../platform/log.ts'

/** How far the clocks of provider and server may differ, s. */
const CLOCK_TOLERANCE_S = 30
const TIMEOUT_S = 10

/** A person as the provider describes them. */
export interface ProvidedUser {
  /** With the issuer the identity that never changes. */
  readonly subject: string
  readonly account: string
  readonly name: string
  readonly groups: readonly string[]
  /** Whether the provider states that they signed in with several factors. Without a statement they did not. */
  readonly hasTwoFactors: boolean
}

/** Values of one sign-in that the provider's answer must repeat. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Parameters with which the provider sends the browser back. */
export interface ProviderAnswer {
  readonly code: string
  readonly state: string
  readonly iss?: string | undefined
}

/** The company's OpenID Connect provider. */
export interface OidcClient {
  /** A sign-in to start: the checks to store, and the page of the provider to open. Throws single-sign-on.unavailable. */
  start(): Promise<SignInChecks & { readonly url: string }>
  /**
   * Exchanges the code and checks the answer: signature by a present key of the provider, issuer, audience, time, nonce,
   * state. Throws single-sign-on.refused.
   */
  finish(answer: ProviderAnswer, checks: SignInChecks): Promise<ProvidedUser>
}

/** The names that accounts and people may have here. */
const { account: accountName, name: personName } = insertUserByTk.input.shape

function toUser(
  claims: Readonly<Record<string, unknown>>,
  { groupsClaim, twoFactors }: Pick<OidcConfig, 'groupsClaim' | 'twoFactors'>,
): ProvidedUser {
  const subject = z.string().min(1).parse(claims.sub)
  const names = [claims.preferred_username, claims.email, subject]
  const account = accountName.parse(names.find((name) => accountName.safeParse(name).success))
  const groups = z.array(z.string()).catch([]).parse(claims[groupsClaim])
  const methods = z.array(z.string()).catch([]).parse(claims.amr)
  const hasTwoFactors = [claims.acr, ...methods].some((stated) =>
    twoFactors.some((known) => known === stated),
  )
  return { subject, account, hasTwoFactors, name: personName.catch(account).parse(claims.name), groups }
}

export function createOidcClient(config: OidcConfig, log: Log): OidcClient {
  const { issuer, clientId, clientSecret, redirectUri, groupsClaim, twoFactors } = config
  const server = new URL(issuer)

  /**
   * Reads the provider's settings for each sign-in, and with them its keys: a rotated key is known at once, and a withdrawn
   * one is refused at once.
   */
  async function discover(): Promise<oidc.Configuration> {
    const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE_S, client_secret: clientSecret }
    const insecure = server.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
    const found = await oidc.discovery(server, clientId, metadata, oidc.ClientSecretBasic(clientSecret), {
      timeout: TIMEOUT_S,
      execute: [...insecure, oidc.enableNonRepudiationChecks],
    })
    return found
  }

  return {
    async start() {
      const state = oidc.randomState()
      const nonce = oidc.randomNonce()
      const verifier = oidc.randomPKCECodeVerifier()
      try {
        const url = oidc.buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope: `openid profile ${groupsClaim}`,
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          // The provider may then ask for a further factor; whether it did is in its answer.
          ...(twoFactors.length > 0 && { acr_values: twoFactors.join(' ') }),
        })
        return { state, nonce, verifier, url: url.href }
      } catch (cause) {
        throw new AppError('single-sign-on.unavailable', {}, { cause })
      }
    },

    async finish({ code, state, iss }, checks) {
      const back = new URL(redirectUri)
      for (const [name, value] of Object.entries({ code, state, iss })) {
        if (value !== undefined) back.searchParams.set(name, value)
      }
      try {
        const tokens = await oidc.authorizationCodeGrant(await discover(), back, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.verifier,
          idTokenExpected: true,
        })
        return toUser(tokens.claims() ?? {}, config)
      } catch (cause) {
        log.warn({ err: cause }, 'an answer of the OpenID Connect provider is refused')
        throw new AppError('single-sign-on.refused', {}, { cause })
      }
    },
  }
}
