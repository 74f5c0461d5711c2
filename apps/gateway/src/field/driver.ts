import type { FieldLine, GatewayConfig } from '@isotherm/contract/gateway-config'

/** A way to the device bus of a line while it is connected. */
export interface Link {
  readonly send: (bytes: Uint8Array) => void
}

/** A line as a driver sees it: whether it is connected, and its bytes. */
export interface DriverLine {
  readonly opened: (link: Link) => void
  readonly received: (bytes: Uint8Array) => void
  readonly closed: () => void
}

export interface DriverNeeds<Kind extends FieldLine['driver']> {
  readonly lines: readonly {
    readonly config: Extract<FieldLine, { driver: Kind }>
    readonly line: DriverLine
  }[]
  readonly config: GatewayConfig
  /** Something that the operator should know, once. */
  readonly report: (text: string) => void
}

/** Connects lines and keeps them connected. Each driver is a folder with a simulator of its other side. */
export interface RunningDriver {
  /** Port on which it listens, if it does. */
  readonly port?: number
  readonly close: () => Promise<void>
}

export type StartDriver<Kind extends FieldLine['driver']> = (
  needs: DriverNeeds<Kind>,
) => Promise<RunningDriver>
