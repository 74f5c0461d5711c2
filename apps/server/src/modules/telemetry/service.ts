import type { DeviceState } from '@isotherm/contract/devices'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import {
  type getDataHisFromDevs,
  type getDataLastFromNodeList,
  MAX_HISTORY_DAYS,
} from '@isotherm/contract/endpoints/telemetry'
import { findMetricById, isMetricName, metrics } from '@isotherm/contract/metrics'
import { AppError } from '../../platform/app-error.ts'
import type { Scope } from '../../platform/scope.ts'
import type { DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { LatestValues } from './latest-values.ts'
import type { ReadingStore } from './store.ts'

/** What may be asked about readings; every answer is narrowed to the scope. */
export interface TelemetryService {
  listLatest(
    scope: Scope,
    query: InputOf<typeof getDataLastFromNodeList>,
  ): Promise<OutputOf<typeof getDataLastFromNodeList>>
  getHistory(
    scope: Scope,
    query: InputOf<typeof getDataHisFromDevs>,
  ): Promise<OutputOf<typeof getDataHisFromDevs>>
}

export interface TelemetryServiceOptions {
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly devices: Pick<DevicesService, 'listDeviceIds' | 'getDevices'>
  readonly latest: Pick<LatestValues, 'find'>
  readonly store: Pick<ReadingStore, 'readHistory'>
}

const DAY_MS = 86_400_000

/** The state of a device without what is kept beside it. */
export const toDeviceState = ({ deviceId, ts, quality, metrics: values }: DeviceState): DeviceState => ({
  deviceId,
  ts,
  quality,
  metrics: { ...values },
})

function toMetricIds(names: readonly string[]): number[] {
  return [...new Set(names)].map((name) => {
    if (!isMetricName(name))
      throw new AppError('request.malformed', { detail: `metrics: ${name} is not a metric` })
    return metrics[name].id
  })
}

export function createTelemetryService(options: TelemetryServiceOptions): TelemetryService {
  const { network, devices, latest, store } = options
  return {
    async listLatest(scope, { nodes, kinds, limiter }) {
      const paths = await network.resolveNodes(scope, nodes)
      const { ids, total } = await devices.listDeviceIds(scope, paths, kinds, limiter)
      const states = ids.flatMap((id) => latest.find(id) ?? [])
      return { datalist: states.map(toDeviceState), total }
    },

    async getHistory(scope, { deviceIds, metrics: names, from, to, maxPoints }) {
      if (to <= from) throw new AppError('request.malformed', { detail: 'to: must be after from' })
      if (to - from > MAX_HISTORY_DAYS * DAY_MS) {
        throw new AppError('history.range-too-large', { maxDays: MAX_HISTORY_DAYS })
      }
      const metricIds = toMetricIds(names)
      const ids = [...new Set(deviceIds)]
      await devices.getDevices(scope, ids)
      const curves = await store.readHistory({ deviceIds: ids, metricIds, from, to, maxPoints })
      return {
        series: curves.map(({ deviceId, metricId, points, downsampled }) => ({
          deviceId,
          metric: findMetricById(metricId) ?? String(metricId),
          points,
          downsampled,
        })),
      }
    },
  }
}
