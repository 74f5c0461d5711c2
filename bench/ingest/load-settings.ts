/** One MQTT client of the load: a concentrator and its children. */
export interface LoadGateway {
  readonly name: string
  readonly username: string
  readonly password: string
  readonly topic: string
  readonly children: readonly string[]
}

/** Messages of one run of the load generator. */
export interface LoadSettings {
  readonly url: string
  readonly nodes: readonly LoadGateway[]
  readonly messagesPerGateway: number
  /** Children per message (in rotation), and metrics per child. */
  readonly childrenPerMessage: number
  readonly metricsPerChild: number
  /** Unacknowledged messages per client. */
  readonly window: number
  /** Messages per second of all clients together; absent: as fast as the acknowledgements arrive. */
  readonly perS?: number | undefined
  /** Boot counter of this run; a later run uses a higher one. */
  readonly boot: number
  /** Instant of the first reading, Unix ms; each message is one millisecond later. */
  readonly fromMs: number
}

export interface LoadResult {
  readonly seconds: number
  readonly acknowledged: number
  /** Time from publish to PUBACK, ms: median and other quantiles. */
  readonly p50Ms: number
  readonly p99Ms: number
}
