import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Database } from '../postgres/database.pg.ts'
import { vanishedClientOptions } from '../postgres/vanished-client.ts'
import { withTimeout } from '../tasks/timeout.ts'
import type { SignalChannel, Signals } from './signals.ts'

const RECONNECT_MS = 1_000
/** Nothing else is sent on this connection: without a question now and then, one that was silently dropped is noticed after hours. */
const QUESTION_MS = 15_000
const ANSWER_MS = 5_000
const CHANNELS: readonly SignalChannel[] = [
  'session_ended',
  'access_changed',
  'registry_changed',
  'structure_changed',
  'places_changed',
  'command_changed',
  'batch_changed',
  'hold_changed',
  'transfer_changed',
  'export_changed',
  'alarm_changed',
  'campaign_changed',
  'strategy_changed',
]

/** Statement that sends a signal. Within a transaction the signal is sent on commit. */
export const toSignal = (channel: SignalChannel, payload: string): RawBuilder<unknown> =>
  sql`select pg_notify(${channel}, ${payload})`

type Listener = (payload: string | undefined) => void

/** Signals over a dedicated connection, which reconnects when it breaks. */
export async function createSignals(
  config: Pick<Config, 'databaseUrl'>,
  db: Database,
  clock: Clock,
  log: Log,
): Promise<Signals> {
  const channels: readonly { channel: SignalChannel; listeners: Set<Listener> }[] = CHANNELS.map(
    (channel) => ({
      channel,
      listeners: new Set<Listener>(),
    }),
  )
  let closed = false
  let current: pg.Client | undefined

  function notify(listeners: Iterable<Listener>, payload: string | undefined): void {
    for (const listener of listeners) {
      try {
        listener(payload)
      } catch (error) {
        log.error({ err: error }, 'a signal listener failed')
      }
    }
  }

  async function connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: config.databaseUrl,
      keepAlive: true,
      options: vanishedClientOptions,
    })
    let [isListening, isLost] = [false, false]
    // While it connects, the error below is the only consequence: two of them would double the attempts each time.
    const lose = (): void => {
      if (isLost) return
      isLost = true
      client.end().catch(() => undefined)
      if (isListening && !closed) clock.setTimeout(reconnect, RECONNECT_MS)
    }
    const ask = async (): Promise<void> => {
      await withTimeout(clock, ANSWER_MS, () => client.query('select 1'))
    }
    const askLater = (): void => {
      clock.setTimeout(() => {
        if (isLost || closed) return
        // After a stall of this process the answer is there, but the time limit was first: the second question gets it.
        ask()
          .catch(ask)
          .then(askLater, (error: unknown) => {
            if (!isLost && !closed) log.warn({ err: error }, 'the connection for signals does not answer')
            lose()
          })
      }, QUESTION_MS)
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', (message) => {
      const found = channels.find(({ channel }) => channel === message.channel)
      if (found) notify(found.listeners, message.payload ?? '')
    })
    try {
      await client.connect()
      for (const channel of CHANNELS) await client.query(`listen ${channel}`)
      if (isLost) throw new Error('the connection for signals was lost')
    } catch (error) {
      lose()
      throw error
    }
    isListening = true
    current = client
    askLater()
    if (closed) await client.end()
  }

  function reconnect(): void {
    if (closed) return
    connect().then(
      () => {
        for (const { listeners } of channels) notify(listeners, undefined)
      },
      (error: unknown) => {
        log.warn({ err: error }, 'no connection for signals yet')
        clock.setTimeout(reconnect, RECONNECT_MS)
      },
    )
  }

  await connect()
  return {
    listen(channel, listener) {
      const found = channels.find((entry) => entry.channel === channel)
      found?.listeners.add(listener)
      return () => found?.listeners.delete(listener)
    },
    async send(channel, payload) {
      await toSignal(channel, payload).execute(db)
    },
    async close() {
      closed = true
      await current?.end()
    },
  }
}
