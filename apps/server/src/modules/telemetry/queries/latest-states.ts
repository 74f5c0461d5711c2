import type { DeviceState } from '@isotherm/contract/devices'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { getDataLastFromNodeList } from '@isotherm/contract/endpoints/telemetry'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { DevicesService } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { LatestValues } from '../latest/latest-values.ts'

/** What may be asked about readings; every answer is narrowed to the scope. */
export interface TelemetryService {
  listLatest(
    scope: Scope,
    query: InputOf<typeof getDataLastFromNodeList>,
  ): Promise<OutputOf<typeof getDataLastFromNodeList>>
}

export interface TelemetryServiceOptions {
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly devices: Pick<DevicesService, 'listDeviceIds'>
  readonly latest: Pick<LatestValues, 'find'>
}

/** The state of a device without what is kept beside it. */
export const toDeviceState = ({
  deviceId,
  ts,
  quality,
  metrics: values,
  absence,
}: DeviceState): DeviceState => ({
  deviceId,
  ts,
  quality,
  metrics: { ...values },
  ...(absence ? { absence } : {}),
})

export function createTelemetryService(options: TelemetryServiceOptions): TelemetryService {
  const { network, devices, latest } = options
  return {
    async listLatest(scope, { nodes, kinds, limiter }) {
      const paths = await network.resolveNodes(scope, nodes)
      const { ids, total } = await devices.listDeviceIds(scope, paths, kinds, limiter)
      const states = ids.flatMap((id) => latest.find(id) ?? [])
      return { datalist: states.map(toDeviceState), total }
    },
  }
}
