import { alarmKinds } from '@isotherm/contract/alarms/alarm-kinds'
import { findingRule } from '@isotherm/contract/alarms/finding'
import { deviceKind, devicePresence } from '@isotherm/contract/devices'
import { getDev } from '@isotherm/contract/endpoints/devices/devices'
import {
  getThreeSelectNewRealDev,
  getThreeSelectNewRealDevOrderBy,
  type RealDevice,
} from '@isotherm/contract/endpoints/monitoring/real-values'
import type { NodeKey } from '@isotherm/contract/tree'
import { call } from '../../../shared/api/client.ts'
import { createListUrl, type ListUrl } from '../../../shared/records/list-url.ts'
import type { DevicePageKind } from './device-page-kind.ts'

/** Devices of one page of the list. */
export const PAGE_ROWS = 100

/** Choices of the filter by state. */
export const stateFilters = [...devicePresence.options, 'battery', 'retired'] as const

/** Fields by which the server sorts, by the key of the column. */
const sortFields = {
  name: 'name',
  imei: 'imei',
  model: 'model',
  seen: 'ts',
  battery: 'bat.v',
  signal: 'rssi',
} as const

type SortKey = keyof typeof sortFields

const isSortKey = (key: string | undefined): key is SortKey => key !== undefined && key in sortFields

export const deviceAddress = createListUrl({
  filters: ['state', 'rule', 'kind'],
  sorts: Object.keys(sortFields),
})

export type DeviceListUrl = Pick<ListUrl, 'filters' | 'sort' | 'descending' | 'page'>

export interface DeviceListQuery {
  readonly page: DevicePageKind
  readonly nodes: readonly NodeKey[]
  readonly text: string
  readonly url: DeviceListUrl
}

interface DevicePage {
  readonly datalist: readonly RealDevice[]
  readonly total: number
}

/** Voltage below which a cell is near its end, V: the default of the alarm. */
const LOW_BATTERY_V = alarmKinds['battery-low'].standard.raiseAt

export const isLowBattery = (volts: number | undefined): boolean =>
  volts !== undefined && volts < LOW_BATTERY_V

/** One page of devices. Retired ones have no newest values. */
export async function listDevices(
  { page, nodes, text, url }: DeviceListQuery,
  signal: AbortSignal | undefined,
): Promise<DevicePage> {
  const { state, rule, kind } = url.filters
  const chosen = deviceKind.safeParse(kind)
  const given = {
    nodes: [...nodes],
    kinds: chosen.success ? [chosen.data] : [...page.kinds],
    ...(text !== '' && { text }),
    limiter: { page: url.page, size: PAGE_ROWS },
  }
  if (state === 'retired') {
    const { datalist, total } = await call(getDev, { ...given, use: 'retired' }, { signal })
    return { datalist: datalist.map((device) => ({ device })), total }
  }
  const presence = devicePresence.safeParse(state)
  const found = findingRule.safeParse(rule)
  const input = {
    ...given,
    ...(presence.success && { presence: [presence.data] }),
    ...(found.success && { rules: [found.data] }),
    ...(rule === 'any' && { rules: [...page.rules] }),
    ...(state === 'battery' && {
      filter: [{ field: 'bat.v', cond: 'lt' as const, vstd: LOW_BATTERY_V }],
    }),
  }
  if (!isSortKey(url.sort)) return call(getThreeSelectNewRealDev, input, { signal })
  const order = { orderBy: sortFields[url.sort], desc: url.descending }
  return call(getThreeSelectNewRealDevOrderBy, { ...input, ...order }, { signal })
}
