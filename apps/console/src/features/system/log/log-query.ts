import type { InputOf } from '@isotherm/contract/endpoint'
import type { getOperations } from '@isotherm/contract/endpoints/administration/operations'
import type { FilterItem } from '@isotherm/contract/filter'
import { createListUrl, type ListUrl } from '../../../shared/records/list-url.ts'
import { parseLogRange, toLogSpan } from './log-range.ts'

/** Input of a search without its page. */
export type LogInput = Omit<InputOf<typeof getOperations>, 'limiter'>

/** Endpoint by which visits and exports of lists are recorded. */
export const VISIT = 'addUserOp'

/** Which entries are shown: changes and downloads; visits of pages and exported lists; or all. */
export const logKinds = ['changes', 'visits', 'all'] as const
export type LogKind = (typeof logKinds)[number]

export const logAddress = createListUrl({
  filters: ['range', 'kind', 'account', 'endpoint', 'result', 'node'],
})

export const parseKind = (text: string | undefined): LogKind =>
  logKinds.find((each) => each === text) ?? 'changes'

/** Shortest text that the server searches. */
const SHORTEST_TEXT = 2

function toFilter(kind: LogKind, account: string | undefined): FilterItem[] {
  const ofKind: Record<LogKind, FilterItem[]> = {
    changes: [{ field: 'endpoint', cond: 'ne', vstd: VISIT }],
    visits: [{ field: 'endpoint', cond: 'eq', vstd: VISIT }],
    all: [],
  }
  const ofAccount: FilterItem[] = account ? [{ field: 'account', cond: 'like', vstd: account }] : []
  return [...ofKind[kind], ...ofAccount]
}

/** The search that the address of the page describes. */
export function toLogInput({ text, filters }: ListUrl, now: number): LogInput {
  const { range, kind, account, endpoint, result, node } = filters
  const searched = text.trim()
  return {
    ...toLogSpan(parseLogRange(range), now),
    ...(endpoint && { endpoint }),
    ...(result && { result }),
    ...(node && { node }),
    ...(searched.length >= SHORTEST_TEXT && { text: searched }),
    filter: toFilter(parseKind(kind), account?.trim()),
  }
}
