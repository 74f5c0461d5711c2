import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Database } from '../postgres/database.pg.ts'
import type { SignalChannel, Signals } from './signals.ts'

const RECONNECT_MS = 1_000
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

/** The statement that sends a signal, for use within a transaction: it goes out when that commits. */
export const toSignal = (channel: SignalChannel, payload: string): RawBuilder<unknown> =>
  sql`select pg_notify(${channel}, ${payload})`

type Heard = (payload: string | undefined) => void

/** Signals over one connection of their own, which is made anew when it breaks. */
export async function createSignals(
  config: Pick<Config, 'databaseUrl'>,
  db: Database,
  clock: Clock,
  log: Log,
): Promise<Signals> {
  const listeners: readonly { channel: SignalChannel; heard: Set<Heard> }[] = CHANNELS.map((channel) => ({
    channel,
    heard: new Set<Heard>(),
  }))
  let closed = false
  let current: pg.Client | undefined

  function tell(heard: Iterable<Heard>, payload: string | undefined): void {
    for (const listener of heard) {
      try {
        listener(payload)
      } catch (error) {
        log.error({ err: error }, 'a listener to signals failed')
      }
    }
  }

  async function connect(): Promise<void> {
    const client = new pg.Client({ connectionString: config.databaseUrl, keepAlive: true })
    let lost = false
    const lose = (): void => {
      if (lost || closed) return
      lost = true
      client.end().catch(() => undefined)
      clock.setTimeout(reconnect, RECONNECT_MS)
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', (message) => {
      const found = listeners.find(({ channel }) => channel === message.channel)
      if (found) tell(found.heard, message.payload ?? '')
    })
    try {
      await client.connect()
      for (const channel of CHANNELS) await client.query(`listen ${channel}`)
    } catch (error) {
      lost = true
      client.end().catch(() => undefined)
      throw error
    }
    current = client
  }

  function reconnect(): void {
    if (closed) return
    connect().then(
      () => {
        for (const { heard } of listeners) tell(heard, undefined)
      },
      (error: unknown) => {
        log.warn({ err: error }, 'no connection for signals yet')
        clock.setTimeout(reconnect, RECONNECT_MS)
      },
    )
  }

  await connect()
  return {
    listen(channel, heard) {
      const found = listeners.find((entry) => entry.channel === channel)
      found?.heard.add(heard)
      return () => found?.heard.delete(heard)
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
