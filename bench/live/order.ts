/** Settings of the field and the watchers of the live benchmark. */
export interface LiveOrder {
  readonly concentrators: number
  /** Valves behind each concentrator, all of them in one residential area. */
  readonly valves: number
  /** Report period of each valve, ms. */
  readonly periodMs: number
  /** Number of watchers of everything, and of watchers of one area each. */
  readonly watchAll: number
  readonly watchArea: number
  readonly measuredMs: number
}

export interface FieldOrder extends LiveOrder {
  readonly url: string
  readonly secret: string
}

export interface WatchOrder extends LiveOrder {
  readonly url: string
  /** Tokens of the second backend, used in rotation: an account can only watch in few windows at once. */
  readonly tokens: readonly string[]
  /** Keys of the areas. */
  readonly areas: readonly string[]
}

export interface WatchResult {
  readonly frames: number
  readonly rows: number
  /** From the measurement of a valve until the frame with it was read, ms. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}
