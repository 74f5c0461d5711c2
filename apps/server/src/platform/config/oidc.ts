import { z } from 'zod'
import { areOrigins, NOT_ORIGINS, splitAtCommas, urlOf } from './url.ts'

/** The settings of the company's OpenID Connect provider. */
export const oidcEnvironment = {
  ISOTHERM_OIDC_ISSUER: urlOf('http', 'https')
    .optional()
    .describe("Issuer of the company's OpenID Connect provider; users may sign in there"),
  ISOTHERM_OIDC_CLIENT_ID: z.string().min(1).optional().describe('Id of this server at the provider'),
  ISOTHERM_OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Secret of this server at the provider'),
  ISOTHERM_OIDC_ORIGIN: z
    .string()
    .refine((text) => areOrigins([text]), NOT_ORIGINS)
    .optional()
    .describe('Origin of the console as browsers open it; the provider redirects to its /login'),
  ISOTHERM_OIDC_GROUPS_CLAIM: z
    .string()
    .regex(/^[\w.:/-]{1,100}$/, 'is not the name of a claim')
    .default('groups')
    .describe('Claim with the groups of a person, which is also requested as a scope'),
  ISOTHERM_OIDC_ROLES: z
    .string()
    .default('')
    .transform(splitAtCommas)
    .refine(
      (pairs) => pairs.every((pair) => /^[^=]+=\d{1,6}$/.test(pair)),
      'is not a list such as dispatchers=102',
    )
    .describe('Role codes by group, such as admins=101,dispatchers=102'),
  ISOTHERM_OIDC_TENANT: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Tenant of the company that the accounts of the provider belong to; needed with several companies',
    ),
  ISOTHERM_OIDC_TWO_FACTORS: z
    .string()
    .default('')
    .transform(splitAtCommas)
    .describe(
      'Values of the claims amr or acr that state a sign-in with several factors, such as mfa; with it, accounts that need two-step sign-in by a role or the password policy are refused other sign-ins at the provider',
    ),
}

/** The company's OpenID Connect provider. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  readonly groupsClaim: string
  readonly roles: readonly { readonly group: string; readonly code: number }[]
  readonly tenant?: string | undefined
  /** Values of `amr` or `acr` that state several factors; empty: their statement is not needed. */
  readonly twoFactors: readonly string[]
}

type Variables = z.infer<z.ZodObject<typeof oidcEnvironment>>

/** What is missing beside the issuer; undefined if nothing is. */
export const findOidcFault = (read: Variables): string | undefined =>
  read.ISOTHERM_OIDC_ISSUER !== undefined && toOidc(read) === undefined
    ? 'ISOTHERM_OIDC_ISSUER needs ISOTHERM_OIDC_CLIENT_ID, ISOTHERM_OIDC_CLIENT_SECRET and ISOTHERM_OIDC_ORIGIN'
    : undefined

/** Undefined without an issuer, or with only a part of the settings. */
export function toOidc(read: Variables): OidcConfig | undefined {
  const { ISOTHERM_OIDC_ISSUER: issuer, ISOTHERM_OIDC_CLIENT_ID: clientId } = read
  const { ISOTHERM_OIDC_CLIENT_SECRET: clientSecret, ISOTHERM_OIDC_ORIGIN: origin } = read
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || origin === undefined)
    return undefined
  const roles = read.ISOTHERM_OIDC_ROLES.map((pair) => {
    const [group = '', code] = pair.split('=')
    return { group: group.trim(), code: Number(code) }
  })
  const redirectUri = `${origin}/login`
  const { ISOTHERM_OIDC_GROUPS_CLAIM: groupsClaim, ISOTHERM_OIDC_TENANT: tenant } = read
  const { ISOTHERM_OIDC_TWO_FACTORS: twoFactors } = read
  return { issuer, clientId, clientSecret, redirectUri, groupsClaim, roles, tenant, twoFactors }
}
