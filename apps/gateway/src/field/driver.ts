import type { FieldLine, GatewayConfig } from '@isotherm/contract/gateway-config'
import type { UnregisteredContent } from '@isotherm/contract/mqtt'
import type { RadioDriverLine } from './radio-line.ts'

/** A way to the device bus of a line while it is connected. */
export interface Link {
  readonly send: (bytes: Uint8Array) => void
  /** Packets that the other side inserts into the bytes of the bus, such as heartbeats. */
  readonly inserts?: readonly Uint8Array[]
}

/** A line as a driver sees it: whether it is connected, and its bytes. */
export interface DriverLine {
  readonly opened: (link: Link) => void
  readonly received: (bytes: Uint8Array) => void
  readonly closed: () => void
}

/** A device that speaks and is not in the configuration. */
export interface Stranger extends UnregisteredContent {
  /** Line on which it was received; absent for a unit that belongs to no line. */
  readonly line?: string
  readonly address: string
}

export interface DriverNeeds {
  readonly config: GatewayConfig
  readonly onStranger: (stranger: Stranger) => void
  /** Something that the operator should know, once. */
  readonly report: (text: string) => void
}

/** Drivers of devices that report by themselves. */
export type RadioKind = 'chirpstack-mqtt' | 'northbound-http'

/** A line and its configuration. */
export interface ConfiguredLine<Kind extends FieldLine['driver']> {
  readonly config: Extract<FieldLine, { driver: Kind }>
  readonly line: Kind extends RadioKind ? RadioDriverLine : DriverLine
}

/** A driver that has what it needs, such as its port, and has not started. */
export interface PreparedDriver<Kind extends FieldLine['driver']> {
  /** Port on which it listens, if it does. */
  readonly port?: number
  /** Connects the lines and keeps them connected. Does not fail: a line that cannot be connected is offline. */
  readonly start: (lines: readonly ConfiguredLine<Kind>[]) => void
  readonly close: () => Promise<void>
}

/**
 * Takes what the lines of a configuration need. Throws if it cannot be had; the lines of the former configuration, which are still
 * running, then go on. Each driver is a folder with a simulator of its other side.
 */
export type PrepareDriver<Kind extends FieldLine['driver']> = (
  needs: DriverNeeds,
) => Promise<PreparedDriver<Kind>>
