import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { regUser2 } from '@isotherm/contract/endpoints/administration/users'
import { regUser2 as registration } from '@isotherm/contract/endpoints/administration/users'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { z } from 'zod'
import { createTestCall, createTestPublicCall } from '../../platform/http/call.testkit.ts'
import type { Call } from '../../platform/http/call.ts'
import { createTestOperation } from '../../platform/operation/operation.testkit.ts'
import { createTestCore } from '../../testing/core.testkit.ts'
import { toClientHash } from '../session/index.ts'
import { createUsers } from './index.ts'

/** The password of an account that a test registers. It does not contain the account name. */
export const toPasswordText = (account: string): string => `密码 ${toClientHash(account).slice(0, 12)}`
export const toPassword = (account: string): string => toClientHash(toPasswordText(account))

/** A new password as calls that set one for another account take it. */
export const toGiven = (text: string) => ({ password: toClientHash(text), passwordText: text })
/** A new password as users change their own. */
export const toNext = (text: string) => ({ newPassword: toClientHash(text), newPasswordText: text })

type Given = Partial<z.input<typeof registration.input>>

/** A core with this module's handlers, and functions that sign accounts in and call the handlers. */
export async function startUsers(settings: Readonly<Record<string, string>> = {}) {
  const core = await createTestCore({ settings })
  const { db, clock, network, config, session } = core
  const handlers = createUsers({ db, clock, network, session, config })

  async function toCall(token: string): Promise<Call> {
    const caller = await session.authenticate('ht-api', token)
    const { accountId, account, companyId } = caller
    const operation = createTestOperation({ accountId, account, companyId, at: clock.now() })
    return { ...createTestCall(caller), operation }
  }

  async function signIn(account: string, password: string): Promise<string> {
    const credentials = { username: account, password }
    return (await session.login('ht-api', credentials, createTestPublicCall({ browser: account }))).token
  }

  /** Signs in an account of the fixtures, whose password is its name. */
  const as = async (account: string): Promise<Call> => toCall(await signIn(account, toClientHash(account)))

  return {
    ...core,
    handlers,
    toCall,
    as,
    /** Signs in an account that was registered here. */
    signIn: (account: string) => signIn(account, toPassword(account)),
    /** Registers an account of the company. */
    register(call: Call, account: string, given: Given = {}): Promise<OutputOf<typeof regUser2>> {
      const input: InputOf<typeof regUser2> = registration.input.parse({
        account,
        name: account,
        password: toPassword(account),
        passwordText: toPasswordText(account),
        ...given,
      })
      return handlers.regUser2(input, call)
    },
    async roleOf(account: string): Promise<number> {
      const found = db.selectFrom('role').select('id').where('key', '=', account)
      return (await found.executeTakeFirstOrThrow()).id
    },
    async versionOf(id: number): Promise<number> {
      const found = db.selectFrom('account').select('version').where('id', '=', id)
      return (await found.executeTakeFirstOrThrow()).version
    },
    /** An account and a sub-account of it, both granted nodes by their keys in the registry file. */
    async registerPair(call: Call, account: string, ofParent: readonly string[], ofSub: readonly string[]) {
      const keysOf = (names: readonly string[]) => Promise.all(names.map((name) => core.nodeKey(name)))
      const parent = await this.register(call, account, { nodes: await keysOf(ofParent) })
      const given = { secAccount: account, nodes: await keysOf(ofSub) }
      return { parent, sub: await this.register(call, `${account}-sub`, given) }
    },
    /** Input of a change of grants from the present version. */
    async toChange(uid: number, nodes: readonly string[], deviceIds: readonly number[] = []) {
      return {
        uid,
        version: await this.versionOf(uid),
        deviceIds: [...deviceIds],
        nodes: await Promise.all(nodes.map((name) => core.nodeKey(name))),
      }
    },
    /** Paths of the stored grants, before they are limited to the parent's. */
    async listStored(id: number): Promise<readonly string[]> {
      const { rows } = await sql<{ path: string }>`
        select node.path from account_node join node on node.id = account_node.node_id where account_id = ${id}
        union all
        select node.path || 'd' || device.id || '/' from account_device
        join device on device.id = account_device.device_id join node on node.id = device.node_id
        where account_id = ${id}`.execute(db)
      return rows.map(({ path }) => path)
    },
    /** The present scope of a registered account, as paths. */
    async scopeOf(account: string): Promise<readonly string[]> {
      const { caller } = await toCall(await signIn(account, toPassword(account)))
      return caller.scope.kind === 'all' ? ['/'] : caller.scope.paths
    },
  }
}

export type TestUsers = Awaited<ReturnType<typeof startUsers>>

/** Matches the error that refuses a call. */
export const refusal = (code: string, params: Readonly<Record<string, unknown>> = {}): unknown =>
  expect.objectContaining({ code, params: expect.objectContaining(params) })
