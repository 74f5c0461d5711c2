import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { useNotices } from '../notices/notices.ts'
import { clearAccess } from '../session/session-store.ts'

// React warns unless a test states that it waits for its updates.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

// Wait as long for an update as a browser test does: the default of 1 s is too short on a busy machine.
configure({ asyncUtilTimeout: 30_000 })

// React records a stack for each element that it creates, up to a number per second. Only its warnings show them, and they
// take a tenth of the time of these tests. So the number is reached from the start.
const internals: unknown = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
if (!(internals instanceof Object)) throw new Error('React counts its stacks elsewhere')
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => undefined,
})

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => {
  cleanup()
  clearAccess()
  useNotices.setState({ notices: [] })
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
