import { onTestFinished, vi } from 'vitest'
import { live } from '../live/live.ts'
import { keepTokens } from '../session/tokens.ts'
import { type FakeLive, startFakeLive } from './fake-live.testkit.ts'

/** Connects the live client to a fake server for one test of a part. The shell does this in the whole console. */
export async function connectLive(): Promise<FakeLive> {
  const fake = startFakeLive(() => true)
  keepTokens(localStorage, { first: 'first', second: 'second', uid: '7', userType: 'usr' }, Date.now())
  // A test that timed out may have left the client of this worker connected.
  live.stop()
  live.start()
  onTestFinished(() => live.stop())
  await vi.waitFor(() => {
    if (live.status().phase !== 'connected') throw new Error('the live client is not connected')
  })
  return fake
}
