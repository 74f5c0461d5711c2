import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { useNotices } from '../notices/notices.ts'
import { clearAccess } from '../session/session-store.ts'

// React warns unless a test states that it waits for its updates.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

// Wait as long for an update as a browser test does: the default of 1 s is too short on a busy machine.
configure({ asyncUtilTimeout: 30_000 })

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
