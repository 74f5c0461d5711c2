import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { useNotices } from '../notices/notices.ts'
import { forgetAccess } from '../session/session-store.ts'

// React warns unless a test states that it waits for its updates.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => {
  cleanup()
  forgetAccess()
  useNotices.setState({ standing: [] })
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
