import type { FilterItem } from '@isotherm/contract/filter'
import type { AlarmsUrl, StateFilter } from './alarms-url.ts'

/** Alarm states that each choice selects; an empty list sets no condition. */
const statesOf = {
  open: [],
  unacknowledged: ['active', 'cleared'],
  active: ['active', 'active-acknowledged'],
  acknowledged: ['active-acknowledged'],
  cleared: ['cleared'],
  ended: ['ended'],
} as const satisfies Record<StateFilter, readonly string[]>

/** Maximum number of search words that are sent, because the server limits the conditions of a filter. */
const MAX_WORDS = 8

const isOneOf = (field: string, values: readonly (string | number)[]): readonly FilterItem[] =>
  values.length === 0 ? [] : [{ field, cond: 'in', vstd: values.join(',') }]

/** One condition per word: every word must occur in the texts of the alarm. */
const toWordItems = (text: string): readonly FilterItem[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS)
    .map((vstd) => ({ field: 'about', cond: 'like', vstd }))

type Common = Pick<AlarmsUrl, 'severities' | 'kinds' | 'text'>

const toCommonItems = ({ severities, kinds, text }: Common): readonly FilterItem[] => [
  ...isOneOf('severity', severities),
  ...isOneOf('kind', kinds),
  ...toWordItems(text),
]

/** The filter fields of the alarm endpoint. */
export interface AlarmFilter {
  readonly filter: FilterItem[]
  readonly open: boolean
  readonly suppressed: boolean
}

export type ListUrl = Common & Pick<AlarmsUrl, 'state' | 'assignee' | 'silenced' | 'suppressed'>

/** The filter of the alarm list. */
export const toAlarmFilter = (url: ListUrl): AlarmFilter => ({
  filter: [
    ...toCommonItems(url),
    ...isOneOf('state', statesOf[url.state]),
    ...(url.assignee === '' ? [] : [{ field: 'assignee', cond: 'eq' as const, vstd: url.assignee }]),
    ...(url.silenced || url.state === 'ended'
      ? []
      : [{ field: 'silenced', cond: 'eq' as const, vstd: 'false' }]),
  ],
  open: url.state !== 'ended',
  suppressed: url.suppressed,
})

/** True if a condition hides open alarms. `silenced` and `suppressed` do not count. */
export const isNarrowed = ({ severities, kinds, text, state, assignee }: ListUrl): boolean =>
  severities.length > 0 || kinds.length > 0 || text.trim() !== '' || state !== 'open' || assignee !== ''

/** The URL fields that show all open alarms. */
export const notNarrowed = { severities: [], kinds: [], text: '', state: 'open', assignee: '' } as const

/** The filter of the log. */
export const toLogFilter = (url: Common & Pick<AlarmsUrl, 'events'>): FilterItem[] => [
  ...toCommonItems(url),
  ...isOneOf('event', url.events),
]

/** Maximum number of ids per filter, because the server limits the length of a value. */
const IDS_PER_FILTER = 150

/** Filters that together select exactly these alarms. */
export function toIdFilters(ids: readonly number[]): readonly FilterItem[][] {
  const filters: FilterItem[][] = []
  for (let at = 0; at < ids.length; at += IDS_PER_FILTER)
    filters.push([...isOneOf('id', ids.slice(at, at + IDS_PER_FILTER))])
  return filters
}
