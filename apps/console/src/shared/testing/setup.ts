import { focusManager, onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { closeTreeEdit } from '../nodes/tree-edit.ts'
import { useNotices } from '../notices/notices.ts'
import { clearAccess } from '../session/session-store.ts'
import {
  leaveOutLooks,
  recordListeners,
  recordTimers,
  resetBrowser,
  TestResizeObserver,
} from './browser.testkit.ts'

// React records a stack for each element that it creates, up to a number per second. Only its warnings show them, and they
// take a tenth of the time of these tests. So the number is reached from the start.
const internals: unknown = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
if (!(internals instanceof Object)) throw new Error('React counts its stacks elsewhere')
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => Number.POSITIVE_INFINITY,
  set: () => undefined,
})

// A worker serves many files with one window, and with one React, antd and whatever else comes from packages. All that a
// test may change there is as before at the start of each test. The console's own modules have state, as its stores and
// its live connection: each file loads them anew (below).
beforeEach(() => {
  resetBrowser()
  onlineManager.setOnline(true)
  focusManager.setFocused(undefined)
  // React warns unless a test states that it waits for its updates.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  // Wait as long for an update as a browser test does: the default of 1 s is too short on a busy machine.
  configure({ asyncUtilTimeout: 30_000, defaultHidden: false })
})
afterEach(() => {
  cleanup()
  clearAccess()
  closeTreeEdit()
  useNotices.setState({ notices: [] })
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

globalThis.ResizeObserver = TestResizeObserver
const removeListeners = recordListeners()
const stopTimers = recordTimers()
const bringBackLooks = leaveOutLooks()
afterAll(async () => {
  removeListeners()
  stopTimers()
  bringBackLooks()
  await globalThis.happyDOM.abort()
  vi.resetModules()
})
