/** Settings of the process that plays all devices of a company. */
export interface FieldSettings {
  readonly url: string
  readonly secret: string
  readonly tenant: string
  /** JSON file with the FleetGateway list. */
  readonly fleetFile: string
  /** Number of the start of all gateways. */
  readonly boot: number
  /** True: the valves of concentrators carry out their commands. */
  readonly answersCommands: boolean
}

/** What the field does next. */
export interface FieldOrder {
  /** Reports to send; each is one report of the next gateway. */
  readonly reports: number
  /** Evenly within this time, s; 0 is as fast as the server acknowledges. */
  readonly seconds: number
}

/** Result of an order. */
export interface FieldResult {
  readonly messages: number
  readonly values: number
  /** From the first message until the last acknowledgement, s. */
  readonly seconds: number
  /** From sending a message until its PUBACK, ms. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  /** Greatest delay of a report behind its due time, ms: how far the generator itself was behind. */
  readonly lateMs: number
  /** Reports whose connection was refused or lost, and why the first one was. */
  readonly failed: number
  readonly firstFailure: string
}
