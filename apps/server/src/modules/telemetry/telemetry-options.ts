import type { Registry } from 'prom-client'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { BrokerPort } from '../../platform/mqtt/broker-port.ts'
import type { DeviceDirectory, DevicesService, RealDevices } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { FindingStore } from './quality/finding-changes.ts'

/** What the telemetry module is given. */
export interface TelemetryOptions {
  /** For what is stored and what belongs to it; nobody's question may take its connections. */
  readonly clickhouse: ClickHouseClient
  /** For what is asked of the store. */
  readonly reading: ClickHouseClient
  readonly clock: Clock
  readonly log: Log
  readonly registry: Registry
  readonly directory: DeviceDirectory
  readonly devices: Pick<DevicesService, 'listDeviceIds' | 'getDevices'>
  readonly real: RealDevices
  readonly network: Pick<NetworkService, 'resolveNodes' | 'findParts'>
  readonly broker: Pick<BrokerPort, 'publish' | 'tell'>
  readonly findings: FindingStore
  /** Of a demo alone the field is simulated. */
  readonly mode: Config['mode']
  /** Days for which readings are kept; 0 for ever. */
  readonly keptDays: number
}
