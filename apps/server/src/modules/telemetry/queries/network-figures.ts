import { MAX_STATIONS, type NetworkFigures } from '@isotherm/contract/network/network-figures'
import type { NodeKey } from '@isotherm/contract/tree'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { DeviceSelector } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { CountFigures } from '../counts/count-figures.ts'
import { type ConditionNeeds, toCondition } from '../counts/device-counts.ts'
import type { LatestValues } from '../latest/latest-values.ts'
import type { TelemetryOptions } from '../telemetry-options.ts'
import { toDeviceState } from './latest-states.ts'

export interface NetworkFiguresNeeds extends ConditionNeeds, Pick<TelemetryOptions, 'listWatering'> {
  readonly latest: Pick<LatestValues, 'find' | 'qualityOf'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly selector: Pick<DeviceSelector, 'listFirst' | 'find'>
  readonly countFigures: CountFigures
}

/** Most stations that the database sorts in tree order. */
const MAX_SORTED = 20_000

/** Figures of the home page for nodes, as far as the scope covers them. */
export function createNetworkFigures(needs: NetworkFiguresNeeds) {
  const { network, selector, latest, countFigures } = needs

  /** The first of some stations below the paths, in tree order. */
  async function listStations(
    scope: Scope,
    paths: readonly string[],
    stationIds: readonly number[],
  ): Promise<NetworkFigures['stations']['datalist']> {
    if (stationIds.length === 0) return []
    const selection = {
      paths,
      kinds: ['station'] as const,
      filter: [],
      ids: stationIds.slice(0, MAX_SORTED),
    }
    const first = await selector.listFirst(scope, selection, { limiter: { page: 1, size: MAX_STATIONS } })
    const found = new Map((await selector.find(scope, first)).map((device) => [device.id, device]))
    return first.flatMap((id) => {
      const device = found.get(id)
      // It was removed or moved out of the scope between the two queries.
      if (!device) return []
      const { imei, name, node, nestaddr } = device
      const condition = toCondition(device, needs)
      const state = latest.find(id)
      return {
        device: { id, imei, name, node, nestaddr },
        online: condition === 'good' || condition === 'bad',
        ...(state ? { state: toDeviceState(state) } : {}),
      }
    })
  }

  return async (scope: Scope, nodes: readonly NodeKey[]): Promise<NetworkFigures> => {
    const paths = await network.resolveNodes(scope, nodes)
    const { stationIds, ...figures } = await countFigures(paths)
    const watering = stationIds.length === 0 ? new Set() : await needs.listWatering()
    const heatStations = stationIds.filter((id) => !watering.has(id))
    const datalist = await listStations(scope, paths, heatStations)
    return { ...figures, stations: { datalist, total: heatStations.length } }
  }
}
