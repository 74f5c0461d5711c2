import { reflushToken, refreshToken } from '@isotherm/contract/endpoints/administration/session'
import { call } from '../../../shared/api/client.ts'
import { createRefresh } from './create-refresh.ts'
import { takeRefreshLock } from './refresh-lock.ts'

const tab = String(Math.random())

/** Refreshes the session of all tabs when it is due. */
export const refreshIfDue = createRefresh({
  store: localStorage,
  now: Date.now,
  takeLock: () =>
    takeRefreshLock({
      store: localStorage,
      now: Date.now,
      tab,
      wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    }),
  refreshFirst: async (token) => (await call(refreshToken, { token }, { quiet: true })).token,
  async refreshSecond(token) {
    const { data, utype } = await call(reflushToken, { token }, { quiet: true })
    return { second: data, userType: utype }
  },
})
