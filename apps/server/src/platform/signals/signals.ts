/**
 * Notifications between the modules of all replicas, through PostgreSQL's LISTEN/NOTIFY. A signal reports that
 * something changed; the signal itself is not stored. After a lost connection the listener is called with `undefined` and must read
 * everything again.
 */
export interface Signals {
  /** Calls `listener` for each signal of the channel, from any replica. Returns a function that stops it. */
  listen(channel: SignalChannel, listener: (payload: string | undefined) => void): () => void
  send(channel: SignalChannel, payload: string): Promise<void>
  close(): Promise<void>
}

export type SignalChannel =
  | 'session_ended'
  | 'access_changed'
  | 'registry_changed'
  | 'structure_changed'
  | 'places_changed'
  | 'command_changed'
  | 'batch_changed'
  | 'hold_changed'
  | 'transfer_changed'
  | 'export_changed'
  | 'alarm_changed'
  | 'campaign_changed'
  | 'strategy_changed'
