/** One MQTT client of the load: a concentrator and the children it speaks for. */
export interface LoadGateway {
  readonly name: string
  readonly username: string
  readonly password: string
  readonly topic: string
  readonly children: readonly string[]
}

/** What one run of the load generator sends. */
export interface LoadOrder {
  readonly url: string
  readonly nodes: readonly LoadGateway[]
  readonly messagesPerGateway: number
  /** Children in each message, the next ones each time, and metrics of each child. */
  readonly childrenPerMessage: number
  readonly metricsPerChild: number
  /** Messages a client keeps in flight. */
  readonly window: number
  /** Messages a second over all clients; absent, as fast as the answers come. */
  readonly perS?: number | undefined
  /** Boot counter of this run; a later run takes a higher one. */
  readonly boot: number
  /** Instant of the first reading, Unix ms; each message is one millisecond later. */
  readonly fromMs: number
}

export interface LoadResult {
  readonly seconds: number
  readonly acknowledged: number
  /** From publish to PUBACK. */
  readonly p50Ms: number
  readonly p99Ms: number
}
