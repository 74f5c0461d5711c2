import type { Registry } from 'prom-client'
import type { Cell } from '../../platform/cell/cell.ts'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { BrokerPort } from '../../platform/mqtt/broker-port.ts'
import type { Owners } from '../../platform/replicas/owners.ts'
import type { DeviceDirectory, DeviceSelector, Devices, DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { EndFindings, ListFindings, ListOpenFindings, StartFindings } from './quality/finding-changes.ts'

/** What the telemetry module needs from other modules and from the platform. */
export interface TelemetryOptions {
  /** For inserts and the reads that belong to them. Queries of users must not occupy its connections. */
  readonly clickhouse: ClickHouseClient
  /** For queries of users. */
  readonly reading: ClickHouseClient
  readonly clock: Clock
  readonly log: Log
  readonly registry: Registry
  readonly directory: DeviceDirectory
  readonly devices: Pick<DevicesService, 'listDeviceIds' | 'getDevices'>
  readonly selector: DeviceSelector
  readonly getGateway: Devices['getGateway']
  readonly network: Pick<NetworkService, 'resolveNodes' | 'findParts'>
  readonly broker: Pick<BrokerPort, 'publish' | 'sendToReplicas' | 'replicas'>
  readonly owners: Owners
  readonly startFindings: StartFindings
  readonly endFindings: EndFindings
  readonly listOpenFindings: ListOpenFindings
  readonly listFindings: ListFindings
  /** Devices that belong to irrigation: a pump house is no heat station. */
  readonly listWatering: () => Promise<ReadonlySet<number>>
  /** The companies whose devices it knows; absent: all. */
  readonly cell?: Cell | undefined
  /** Only in demo mode the field is simulated. */
  readonly mode: Config['mode']
  /** Days for which readings are retained; 0: forever. */
  readonly retentionDays: number
}
