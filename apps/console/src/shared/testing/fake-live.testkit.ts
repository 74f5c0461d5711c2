import type { LiveEvent, LiveRequest } from '@isotherm/contract/live'
import { vi } from 'vitest'

/** One connection of the console to the live stream. */
export interface FakeConnection {
  /** Messages of the console, oldest first. */
  readonly sent: readonly LiveRequest[]
}

export interface FakeLive {
  /** Connections so far, oldest first. */
  readonly connections: readonly FakeConnection[]
  /** Sends an event over every open connection. */
  readonly send: (event: LiveEvent) => void
  /** `down` closes all connections and refuses new ones. */
  readonly network: (state: 'up' | 'down') => void
}

/** Replaces `WebSocket` for one test with a server that welcomes each connection. `accepts` judges its token. */
export function startFakeLive(accepts: (token: string) => boolean): FakeLive {
  const connections: { readonly sent: LiveRequest[] }[] = []
  const open = new Set<FakeSocket>()
  let isDown = false

  class FakeSocket extends EventTarget {
    readonly #sent: LiveRequest[] = []

    constructor() {
      super()
      setTimeout(() => {
        if (isDown) {
          this.close()
          return
        }
        connections.push({ sent: this.#sent })
        open.add(this)
        this.dispatchEvent(new Event('open'))
      }, 0)
    }

    send(text: string): void {
      const request: LiveRequest = JSON.parse(text)
      this.#sent.push(request)
      if (request.type === 'hello') this.receive(this.#answerHello(request.token))
      if (request.type === 'ping') this.receive({ type: 'pong' })
    }

    #answerHello(token: string): LiveEvent {
      if (!accepts(token)) return { type: 'expired' }
      return { type: 'welcome', epoch: 'test', now: Date.now(), mode: 'demo', timeFactor: 1 }
    }

    receive(event: LiveEvent): void {
      setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) })), 0)
    }

    close(): void {
      open.delete(this)
      this.dispatchEvent(new Event('close'))
    }
  }
  vi.stubGlobal('WebSocket', FakeSocket)

  return {
    connections,
    send: (event) => {
      for (const socket of open) socket.receive(event)
    },
    network: (state) => {
      isDown = state === 'down'
      if (isDown) for (const socket of [...open]) socket.close()
    },
  }
}
