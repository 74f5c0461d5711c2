import { findKnown, toSearch } from '../../shared/url-words.ts'
import { keepIds, recallIds } from './selection/stored-ids.ts'

/** What the lower part of the control page lists. */
export const controlLists = ['batches', 'log', 'holds'] as const
export type ControlList = (typeof controlLists)[number]

export interface ControlUrl {
  readonly deviceIds: readonly number[]
  readonly batch: string | undefined
  readonly list: ControlList
  /** Whether the limits of the node in use are shown beside the page. */
  readonly limits: boolean
  /** Page of that list, from 1. */
  readonly page: number
}

export function parseControlUrl(search: URLSearchParams): ControlUrl {
  const page = Number(search.get('page'))
  return {
    deviceIds: recallIds(search.get('devices')),
    batch: search.get('batch') ?? undefined,
    list: findKnown(search.get('list'), controlLists) ?? 'batches',
    limits: search.get('limits') === '1',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

export const toControlSearch = (url: ControlUrl): URLSearchParams =>
  toSearch({
    devices: keepIds(url.deviceIds),
    batch: url.batch ?? '',
    list: url.list === 'batches' ? '' : url.list,
    limits: url.limits ? '1' : '',
    page: url.page === 1 ? '' : String(url.page),
  })
