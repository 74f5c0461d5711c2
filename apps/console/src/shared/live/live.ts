import { LIVE_PATH } from '@isotherm/contract/live'
import { recoverSession } from '../session/recovery.ts'
import { findToken } from '../session/tokens.ts'
import { scheduleFrame } from './frame-buffer.ts'
import { createLiveClient, type SocketListener } from './live-client.ts'

function connect(listener: SocketListener): WebSocket {
  const address = new URL(LIVE_PATH, location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(address)
  socket.addEventListener('open', listener.opened)
  socket.addEventListener('message', (event) => listener.received(event.data))
  socket.addEventListener('close', listener.closed)
  return socket
}

/** The console's only live connection. The shell starts it after the login and stops it at logout. */
export const live = createLiveClient({
  connect,
  findToken: () => findToken(localStorage, 'ht-api'),
  now: Date.now,
  random: Math.random,
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  scheduleFrame,
  recoverSession,
  reportGarbage: (detail) => console.error('live message not understood', detail),
})
