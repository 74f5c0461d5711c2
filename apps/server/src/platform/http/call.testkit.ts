import { createTestOperation } from '../operation/operation.testkit.ts'
import { scopeOfEverything } from '../scope/scope.ts'
import type { Call, Caller, PublicCall } from './call.ts'

/** A caller who sees everything and has no permissions; `given` overrides fields. */
export const createTestCaller = (given: Partial<Caller> = {}): Caller => ({
  accountId: 1,
  account: 'tester',
  companyId: undefined,
  sessionId: 1,
  tokenHash: Buffer.alloc(32),
  expiresAt: Number.MAX_SAFE_INTEGER,
  permissions: new Set(),
  scope: scopeOfEverything,
  ...given,
})

export const createTestPublicCall = (given: Partial<PublicCall> = {}): PublicCall => ({
  requestId: 'r',
  address: '10.0.0.1',
  language: 'en',
  browser: 'b',
  operation: createTestOperation(),
  ...given,
})

export const createTestCall = (given: Partial<Caller> = {}): Call => ({
  ...createTestPublicCall(),
  caller: createTestCaller(given),
  revisions: { access: 0, groups: 0, places: 0 },
})
