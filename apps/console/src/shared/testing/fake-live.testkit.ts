import type { LiveEvent } from '@isotherm/contract/live'
import { onTestFinished, vi } from 'vitest'
import { live } from '../live/live.ts'
import { keepTokens } from '../session/tokens.ts'

/** The server side of the live connection of one test. */
export interface FakeLive {
  /** Sends an event to the console. */
  readonly send: (event: LiveEvent) => void
}

/** Connects the real live client to a fake server for one test. */
export function startFakeLive(): FakeLive {
  const sockets: EventTarget[] = []
  const send = (event: LiveEvent): void => {
    const socket = sockets.at(-1)
    if (!socket) throw new Error('the live client is not connected')
    socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }))
  }
  class FakeSocket extends EventTarget {
    constructor() {
      super()
      sockets.push(this)
    }
    send(): void {}
    close(): void {}
  }
  vi.stubGlobal('WebSocket', FakeSocket)
  keepTokens(localStorage, { first: 'first', second: 'second', uid: '7', userType: 'usr' }, Date.now())
  live.start()
  onTestFinished(() => live.stop())
  sockets.at(-1)?.dispatchEvent(new Event('open'))
  send({ type: 'welcome', epoch: 'e1', now: Date.now(), mode: 'demo', timeFactor: 1 })
  return { send }
}
