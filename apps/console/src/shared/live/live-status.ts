/** State of the live connection as the user sees it. */
export interface LiveStatus {
  readonly phase: 'idle' | 'connecting' | 'connected' | 'waiting'
  /** Instant since which data are not live, Unix ms of the local clock; absent while they are live. */
  readonly since: number | undefined
  /** Whether a connection was established since the start. */
  readonly everConnected: boolean
  /** Server clock minus local clock, ms. */
  readonly clockOffsetMs: number
  readonly mode: 'demo' | 'production' | undefined
  /** How much faster the simulated field's time runs; absent with a real field. */
  readonly timeFactor: number | undefined
  /** Code of a refusal of the whole connection; absent while connected. */
  readonly refused: string | undefined
}

/** Status without a session. */
export const idle: LiveStatus = {
  phase: 'idle',
  since: undefined,
  everConnected: false,
  clockOffsetMs: 0,
  mode: undefined,
  timeFactor: undefined,
  refused: undefined,
}
