/**
 * News between the modules of all replicas, through PostgreSQL's LISTEN/NOTIFY. A signal says that something
 * changed and is no record of it: a listener that lost its connection is called with `undefined` once it is
 * back and must read anew.
 */
export interface Signals {
  /** Calls `heard` for each signal of the channel, by whichever replica. Returns how to stop. */
  listen(channel: SignalChannel, heard: (payload: string | undefined) => void): () => void
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
