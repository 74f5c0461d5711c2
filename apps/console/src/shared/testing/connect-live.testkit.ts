import { onTestFinished, vi } from 'vitest'
import { live } from '../live/live.ts'
import { storeTokens } from '../session/tokens.ts'
import { type FakeLive, startFakeLive } from './fake-live.testkit.ts'

/** Connects the live client to a fake server, for a test of a part of the console. (In the console the shell connects.) */
export async function connectLive(): Promise<FakeLive> {
  const fake = startFakeLive(() => true)
  storeTokens(localStorage, { first: 'first', second: 'second', uid: '7', userType: 'usr' }, Date.now())
  // An earlier test of this worker may have timed out and left the client connected.
  live.stop()
  live.start()
  onTestFinished(() => live.stop())
  await vi.waitFor(
    () => {
      if (live.status().phase !== 'connected') throw new Error('the live client is not connected')
    },
    { timeout: 30_000 },
  )
  return fake
}
