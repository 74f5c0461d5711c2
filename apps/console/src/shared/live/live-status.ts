/** What a live connection is to the user now. */
export interface LiveStatus {
  readonly phase: 'idle' | 'connecting' | 'connected' | 'waiting'
  /** Instant (Unix ms, own clock) since which data are no longer live; absent while they are. */
  readonly since: number | undefined
  /** True once a connection stood since the start. */
  readonly everConnected: boolean
  /** Server's clock minus ours, ms. */
  readonly clockOffsetMs: number
  readonly mode: 'demo' | 'production' | undefined
  /** How much faster the simulated field's time runs; absent with a real field. */
  readonly timeFactor: number | undefined
  /** Code with which the server refused the whole connection; absent once one stands. */
  readonly refused: string | undefined
}

/** As long as nobody is signed in. */
export const idle: LiveStatus = {
  phase: 'idle',
  since: undefined,
  everConnected: false,
  clockOffsetMs: 0,
  mode: undefined,
  timeFactor: undefined,
  refused: undefined,
}
