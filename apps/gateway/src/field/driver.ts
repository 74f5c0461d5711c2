import type { FieldLine, GatewayConfig } from '@isotherm/contract/gateway-config'
import type { UnregisteredContent } from '@isotherm/contract/mqtt'
import type { RadioDriverLine } from './radio-line.ts'

/** Connection to the device bus of a line, as long as it is open. */
export interface Link {
  readonly send: (bytes: Uint8Array) => void
  /** Packets that the other side inserts into the bytes of the bus, such as heartbeats. */
  readonly inserts?: readonly Uint8Array[]
}

/** A line as a driver uses it: the driver reports its connection and passes its bytes. */
export interface DriverLine {
  readonly opened: (link: Link) => void
  readonly received: (bytes: Uint8Array) => void
  readonly closed: () => void
}

/** A device that sends data and is not in the configuration. */
export interface UnknownDevice extends UnregisteredContent {
  /** Line on which it was received; absent for a unit that belongs to no line. */
  readonly line?: string
  readonly address: string
}

export interface DriverNeeds {
  readonly config: GatewayConfig
  readonly onUnknownDevice: (unknownDevice: UnknownDevice) => void
  /** Writes a line for the operator. Call it once for a problem, not with each attempt. */
  readonly report: (text: string) => void
}

/** Drivers of devices that report by themselves. */
export type RadioKind = 'chirpstack-mqtt' | 'northbound-http'

/** A line and its configuration. */
export interface ConfiguredLine<Kind extends FieldLine['driver']> {
  readonly config: Extract<FieldLine, { driver: Kind }>
  readonly line: Kind extends RadioKind ? RadioDriverLine : DriverLine
}

/** A driver that has its resources, such as its port, and is not started yet. */
export interface PreparedDriver<Kind extends FieldLine['driver']> {
  /** Port on which it listens, if it does. */
  readonly port?: number
  /** Connects the lines and keeps them connected. Does not fail: a line that cannot be connected is offline. */
  readonly start: (lines: readonly ConfiguredLine<Kind>[]) => void
  readonly close: () => Promise<void>
}

/**
 * Prepares a driver: acquires what the lines of a configuration need, such as a port. Throws if that fails; the lines
 * of the former configuration then continue. Each driver is a folder with a simulator of its other side.
 */
export type PrepareDriver<Kind extends FieldLine['driver']> = (
  needs: DriverNeeds,
) => Promise<PreparedDriver<Kind>>
