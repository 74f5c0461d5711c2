import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import {
  type BucketLevel,
  type getDataBuckets,
  type getDataSegments,
  type getDataSpread,
  maxBucketDays,
  type Spread,
} from '@isotherm/contract/endpoints/monitoring/history'
import { type getDataHisFromDevs, MAX_HISTORY_DAYS } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { findMetricById, isCounter, metrics } from '@isotherm/contract/metrics'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory, DevicesService } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import { checkDevices } from './check-devices.ts'
import { checkRange, toMetricIds, toMetricName } from './check-query.ts'
import { listBelow } from './devices-below.ts'
import type { BucketQuery, Buckets, Curve, HistoryQuery, SpreadQuery } from './history-queries.ts'

/** Queries of history; every answer is limited to the scope. */
export interface HistoryService {
  getCurves(
    scope: Scope,
    query: InputOf<typeof getDataHisFromDevs>,
  ): Promise<OutputOf<typeof getDataHisFromDevs>>
  getBuckets(scope: Scope, query: InputOf<typeof getDataBuckets>): Promise<OutputOf<typeof getDataBuckets>>
  getSegments(scope: Scope, query: InputOf<typeof getDataSegments>): Promise<OutputOf<typeof getDataSegments>>
  getSpread(scope: Scope, query: InputOf<typeof getDataSpread>): Promise<OutputOf<typeof getDataSpread>>
}

export interface HistoryServiceOptions {
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly devices: Pick<DevicesService, 'getDevices' | 'listReplaced'>
  readonly directory: Pick<DeviceDirectory, 'below' | 'findById'>
  readonly readCurves: (query: HistoryQuery) => Promise<readonly Curve[]>
  readonly readBuckets: (query: BucketQuery) => Promise<readonly Buckets[]>
  readonly readSpread: (query: SpreadQuery) => Promise<readonly Spread[]>
}

const toName = (metricId: number): string => findMetricById(metricId) ?? String(metricId)

export function createHistoryService(options: HistoryServiceOptions): HistoryService {
  const { network, devices, directory, readCurves, readBuckets, readSpread } = options
  return {
    async getCurves(scope, { deviceIds, metrics: names, from, to, maxPoints }) {
      checkRange({ from, to }, MAX_HISTORY_DAYS)
      const metricIds = toMetricIds(names)
      const ids = await checkDevices(options, scope, deviceIds)
      const curves = await readCurves({ deviceIds: ids, metricIds, from, to, maxPoints })
      return {
        series: curves.map(({ metricId, ...curve }) => ({ ...curve, metric: toName(metricId) })),
      }
    },

    async getBuckets(scope, { deviceIds, metrics: names, level, columns, from, to }) {
      checkRange({ from, to }, maxBucketDays[level satisfies BucketLevel])
      const metricIds = toMetricIds(names)
      const ids = await checkDevices(options, scope, deviceIds)
      const found = await readBuckets({ deviceIds: ids, metricIds, level, columns, from, to })
      return { datalist: found.map(({ metricId, ...buckets }) => ({ ...buckets, metric: toName(metricId) })) }
    },

    async getSegments(scope, { deviceIds }) {
      const ids = await checkDevices(options, scope, deviceIds)
      return { datalist: await devices.listReplaced(scope, ids) }
    },

    async getSpread(scope, { nodes, kinds, metric, level, from, to }) {
      checkRange({ from, to }, maxBucketDays[level])
      const name = toMetricName(metric)
      const paths = await network.resolveNodes(scope, nodes)
      const deviceIds = await listBelow(directory, paths, kinds)
      const query = {
        deviceIds,
        metricId: metrics[name].id,
        isCounter: isCounter(name),
        level,
        from,
        to,
      }
      return { datalist: [...(await readSpread(query))] }
    },
  }
}
