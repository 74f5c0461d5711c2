import { connect, type IClientOptions, type MqttClient, Store } from 'mqtt'
import type { Secret } from './state-file.ts'

/** Longest pause between two attempts to connect, ms. */
const MAX_PAUSE_MS = 60_000
/** Return code of a refused password. */
const NOT_AUTHORIZED = 5

/**
 * A connection that reconnects by itself. It is ready from the end of `greet`, which runs after each connection,
 * until it breaks.
 */
export interface Link {
  readonly client: MqttClient
  isReady(): boolean
}

/** Connects, and reconnects after each loss with a growing random pause, until the client is ended. */
export function openLink(
  url: string,
  options: IClientOptions,
  secret: Secret,
  greet: () => Promise<void>,
): Link {
  // Messages without PUBACK. Without these stores the library forgets them at `reconnect`.
  const stores = { incomingStore: new Store(), outgoingStore: new Store() }
  const session = { clean: false, keepalive: 60, resubscribe: false, reconnectPeriod: 0 }
  const client = connect(url, { ...options, password: secret.current(), ...session, ...stores })
  let [pauseMs, isReady] = [1_000, false]
  client.on('error', (error) => {
    if ('code' in error && error.code === NOT_AUTHORIZED) secret.refused()
    console.error(error.message)
  })
  client.on('connect', () => {
    pauseMs = 1_000
    greet().then(
      () => {
        isReady = client.connected
      },
      () => client.stream.destroy(),
    )
  })
  client.on('close', () => {
    isReady = false
    if (client.disconnecting) return
    const reconnect = () => {
      client.options.password = secret.current()
      client.reconnect(stores)
    }
    setTimeout(reconnect, pauseMs * (0.5 + Math.random()))
    pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs)
  })
  return { client, isReady: () => isReady }
}
