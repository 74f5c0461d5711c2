import { findKnown, toSearch } from '../../shared/url/url-words.ts'
import { type ControlList, groupLists } from './control-url.ts'

/** State of the group control page in its address. */
export interface GroupUrl {
  /** Id of the chosen device group. */
  readonly group: number | undefined
  readonly batch: string | undefined
  readonly list: ControlList
  /** Page of the list, from 1. */
  readonly page: number
}

const toPositive = (text: string | null): number | undefined => {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export const parseGroupUrl = (search: URLSearchParams): GroupUrl => ({
  group: toPositive(search.get('group')),
  batch: search.get('batch') ?? undefined,
  list: findKnown(search.get('list'), groupLists) ?? 'batches',
  page: toPositive(search.get('page')) ?? 1,
})

export const toGroupSearch = (url: GroupUrl): URLSearchParams =>
  toSearch({
    group: url.group === undefined ? '' : String(url.group),
    batch: url.batch ?? '',
    list: url.list === 'batches' ? '' : url.list,
    page: url.page === 1 ? '' : String(url.page),
  })
