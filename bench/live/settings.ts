/** Settings of the live benchmark, for its devices and its watchers. */
export interface LiveSettings {
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

export interface FieldSettings extends LiveSettings {
  readonly url: string
  readonly secret: string
}

export interface WatchSettings extends LiveSettings {
  readonly url: string
  /** Tokens of the second backend, used in rotation, because the number of windows per account is limited. */
  readonly tokens: readonly string[]
  /** Keys of the areas. */
  readonly areas: readonly string[]
}

export interface WatchResult {
  readonly frames: number
  readonly rows: number
  /** Time from the measurement of a valve until its frame is read, ms: median and other quantiles. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}
