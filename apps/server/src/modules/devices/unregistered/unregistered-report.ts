import type { UnregisteredVia } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import type { UnregisteredContent } from '@isotherm/contract/mqtt'

/** Content of a report: its values by metric, or what a gateway received on a line. */
export interface Said extends UnregisteredContent {
  readonly m?: Readonly<Record<string, number>>
}

/** A report of an unregistered device behind a gateway. */
export interface UnregisteredReport {
  readonly gatewayId: number
  readonly via: UnregisteredVia
  /** Empty if it was not received on a line. */
  readonly line: string
  readonly address: string
  readonly said: Said
  readonly count: number
  /** When it was last received, Unix ms. */
  readonly at: number
}
