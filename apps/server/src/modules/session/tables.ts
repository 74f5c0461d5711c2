import type { Backend } from '@isotherm/contract/endpoint'
import type { Generated, GeneratedAlways } from 'kysely'

export interface AccountTable {
  id: GeneratedAlways<number>
  account: string
  name: string
  /** Argon2id of the SHA-256 the client sends. */
  password_hash: string
  /** The owner: the tenant of its company, its parent's name, or its own name for provider staff. */
  p_account: string
  tel: Generated<string>
  /** User type: usr or another (specification, section 6). */
  utype: Generated<string>
  enabled: Generated<boolean>
  /** Sees the whole tree. Other accounts see the granted nodes. */
  sees_all: Generated<boolean>
  /** Has a public password. Exists in demo mode only. */
  is_demo: Generated<boolean>
  /** Staff of a company, or of the provider, who manages several companies and belongs to none. */
  kind: Generated<'company' | 'provider'>
  /** null for provider staff. */
  company_id: number | null
  /** The parent of a sub-account. */
  parent_id: number | null
  organisation_id: number | null
  created_at: Generated<Date>
  /** When the present password was set. */
  password_set_at: Generated<Date>
  /** An administrator chose the password. */
  password_given: Generated<boolean>
  /** Signs in at the company's identity provider (OpenID Connect); the password in this table is random. */
  is_external: Generated<boolean>
  /** These revisions rise with each change of password, roles or grants, which are part of the account's version. */
  password_rev: Generated<number>
  roles_rev: Generated<number>
  grants_rev: Generated<number>
  second_factor_rev: Generated<number>
  version: Generated<number>
}

/** An organisation: a part of a company that accounts belong to. */
export interface OrganisationTable {
  id: GeneratedAlways<number>
  company_id: number
  parent_id: number | null
  name: string
  description: Generated<string>
  version: Generated<number>
}

export interface RoleCodeTable {
  id: GeneratedAlways<number>
  code: number
  name: string
  description: Generated<string>
  version: Generated<number>
}

export interface RoleTable {
  id: GeneratedAlways<number>
  /** Key in the contract of a seeded role; null for any other. */
  key: string | null
  name: string
  /** Role code (rcode). */
  code: number
  /** The company that owns the role; null for the provider's roles, which serve all companies. */
  company_id: number | null
  description: Generated<string>
  /** Whether its accounts sign in with a second factor. */
  needs_second_factor: Generated<boolean>
  /** Urls of its modules, sorted. A trigger copies them from role_permission, so that their change is a change of the role. */
  modules: GeneratedAlways<string[]>
  version: Generated<number>
}

export interface ModuleTable {
  id: GeneratedAlways<number>
  parent_id: number | null
  name: string
  /** A permission of the contract, or a value or address that the installation added. */
  url: string
  icon: string
  sort: number
  enabled: Generated<boolean>
  version: Generated<number>
}

/** A sign-in of one browser. Its tokens end with it. */
export interface SessionTable {
  id: GeneratedAlways<number>
  account_id: number
  /** SHA-256 of the browser's random name. */
  browser_hash: Buffer
  address: string
  created_at: Date
  ended_at: Date | null
  /** Last input of the user that the console reported. */
  active_at: Generated<Date>
}

export interface TokenTable {
  /** SHA-256 of the token. */
  hash: Buffer
  session_id: number
  backend: Backend
  expires_at: Date
}

/** The second factor of an account, see second-factor/. */
export interface SecondFactorTable {
  account_id: number
  /** Key of the authenticator app, sealed. */
  secret: Buffer
  /** null before the first right code. */
  confirmed_at: Date | null
  /** Time step of the last used code. */
  last_step: Generated<number>
  /** Browser that may sign in once more without a code, until an instant. */
  proof_browser: Buffer | null
  proof_until: Date | null
}

/** Rules for new passwords: of one company, or of the installation if `company_id` is null. */
export interface PasswordPolicyTable {
  id: GeneratedAlways<number>
  company_id: number | null
  min_length: number
  min_kinds: number
  history: number
  max_age_days: number
  must_change_given: boolean
  /** 0: passwords that administrators gave do not end. */
  given_days: Generated<number>
  needs_second_factor: Generated<boolean>
  /** 0: sessions do not end without input. */
  idle_minutes: Generated<number>
  version: Generated<number>
}

/** Failed logins by account, by network, and by both. */
export interface LoginAttemptTable {
  key: string
  failures: number
  last_at: Date
  blocked_until: Date
}

/** A network where an account has signed in, see attempts.ts. */
export interface LoginKnownTable {
  account: string
  /** See platform/http/network-of.ts. */
  network: string
  last_at: Date
}

declare module '../../platform/tables.ts' {
  interface Tables {
    account: AccountTable
    role: RoleTable
    role_permission: { role_id: number; permission: string }
    account_role: { account_id: number; role_id: number }
    account_device: { account_id: number; device_id: number }
    organisation: OrganisationTable
    role_code: RoleCodeTable
    account_node: { account_id: number; node_id: number }
    module: ModuleTable
    session: SessionTable
    token: TokenTable
    password_policy: PasswordPolicyTable
    password_history: {
      id: GeneratedAlways<number>
      account_id: number
      password_hash: string
      replaced_at: Date
    }
    second_factor: SecondFactorTable
    recovery_code: { account_id: number; hash: Buffer; used_at: Generated<Date | null> }
    account_identity: { issuer: string; subject: string; account_id: number }
    oidc_sign_in: { hash: Buffer; state: string; nonce: string; verifier: string; expires_at: Date }
    duty: { permission: string; duty: string }
    login_attempt: LoginAttemptTable
    login_known: LoginKnownTable
  }
}
