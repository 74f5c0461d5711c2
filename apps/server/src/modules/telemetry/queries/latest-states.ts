import type { DeviceState } from '@isotherm/contract/devices'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { getDataLastFromNodeList } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { DevicesService } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { LatestValues } from '../latest/latest-values.ts'

export interface LatestStatesOptions {
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly devices: Pick<DevicesService, 'listDeviceIds'>
  readonly latest: Pick<LatestValues, 'find'>
}

/** The state of a device without internal fields. */
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

/** Lists the newest values of devices below nodes, as far as the scope covers them. */
export const createListLatest =
  ({ network, devices, latest }: LatestStatesOptions) =>
  async (
    scope: Scope,
    { nodes, kinds, limiter }: InputOf<typeof getDataLastFromNodeList>,
  ): Promise<OutputOf<typeof getDataLastFromNodeList>> => {
    const paths = await network.resolveNodes(scope, nodes)
    const { ids, total } = await devices.listDeviceIds(scope, paths, kinds, limiter)
    const states = ids.flatMap((id) => latest.find(id) ?? [])
    return { datalist: states.map(toDeviceState), total }
  }
