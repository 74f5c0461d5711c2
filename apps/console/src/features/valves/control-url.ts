import { findKnown, toSearch } from '../../shared/url/url-words.ts'
import { loadIds, storeIds } from './selection/stored-ids.ts'

/** The lists in the lower part of the control page. */
export const controlLists = ['batches', 'log', 'holds', 'exercises'] as const
export type ControlList = (typeof controlLists)[number]
/** The lists for a device group. It has no exercises: those are started for tree nodes. */
export const groupLists = ['batches', 'log', 'holds'] as const satisfies readonly ControlList[]

/** State of the control page in its address. */
export interface ControlUrl {
  readonly deviceIds: readonly number[]
  readonly batch: string | undefined
  readonly list: ControlList
  /** Whether the limits drawer of the current node is open. */
  readonly limits: boolean
  /** Page of the list, from 1. */
  readonly page: number
}

export function parseControlUrl(search: URLSearchParams): ControlUrl {
  const page = Number(search.get('page'))
  return {
    deviceIds: loadIds(search.get('devices')),
    batch: search.get('batch') ?? undefined,
    list: findKnown(search.get('list'), controlLists) ?? 'batches',
    limits: search.get('limits') === '1',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

export const toControlSearch = (url: ControlUrl): URLSearchParams =>
  toSearch({
    devices: storeIds(url.deviceIds),
    batch: url.batch ?? '',
    list: url.list === 'batches' ? '' : url.list,
    limits: url.limits ? '1' : '',
    page: url.page === 1 ? '' : String(url.page),
  })
