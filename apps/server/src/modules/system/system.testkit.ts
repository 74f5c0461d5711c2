import { expect } from 'vitest'
import { AppError } from '../../platform/app-error.ts'
import { createTestCall, createTestPublicCall } from '../../platform/http/call.testkit.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import { createCallMeter } from '../../platform/meter/call-meter.ts'
import { createTestOperation } from '../../platform/operation/operation.testkit.ts'
import { createTestCore, type TestCoreOptions } from '../../testing/core.testkit.ts'
import { toClientHash } from '../session/sign-in/passwords.ts'
import { createSystem } from './service.ts'

/** The services of this module on a core with the small registry. */
export async function openTestSystem(options: TestCoreOptions = {}) {
  const core = await createTestCore(options)

  /** Signs an account in and returns the caller. The password is the account's name. */
  async function callerOf(account: string): Promise<Caller> {
    const credentials = { username: account, password: toClientHash(account) }
    const { token } = await core.session.login('ht-api', credentials, createTestPublicCall())
    return core.session.authenticate('ht-api', token)
  }

  /** A new call of an account. Each call is a separate operation. */
  async function callOf(account: string, endpoint = 'test'): Promise<Call> {
    const caller = await callerOf(account)
    const { accountId, companyId } = caller
    const operation = createTestOperation({
      endpoint,
      account,
      accountId,
      companyId,
      at: core.clock.now(),
      address: '10.0.0.9',
      requestId: 'r',
    })
    return { ...createTestCall(caller), operation }
  }

  return {
    ...core,
    system: createSystem({
      ...core,
      meter: createCallMeter(core.clock),
      broker: { isEmbedded: true, port: 1883, tlsPort: undefined },
    }),
    callerOf,
    callOf,
  }
}

export type TestSystem = Awaited<ReturnType<typeof openTestSystem>>

/** Code and params of the AppError that refuses the work. */
export async function refusalOf(work: Promise<unknown>): Promise<readonly [string, unknown]> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AppError)
  if (!(error instanceof AppError)) throw new Error('was not refused')
  return [error.code, error.params]
}

export const wholePage = { filter: [], limiter: { page: 1, size: 1_000 } }
