import type { FilterItem } from '@isotherm/contract/filter'
import type { AlarmsUrl, StateFilter } from './alarms-url.ts'

/** States behind each choice; every one is listed among the open ones or not at all. */
const statesOf = {
  open: [],
  unacknowledged: ['active', 'cleared'],
  active: ['active', 'active-acknowledged'],
  acknowledged: ['active-acknowledged'],
  cleared: ['cleared'],
  ended: ['ended'],
} as const satisfies Record<StateFilter, readonly string[]>

/** Words of a search that are sent; a filter has room for so many beside the rest. */
const MOST_WORDS = 8

const isOneOf = (field: string, values: readonly (string | number)[]): readonly FilterItem[] =>
  values.length === 0 ? [] : [{ field, cond: 'in', vstd: values.join(',') }]

/** The conditions that every word of a text stands somewhere about an alarm. */
const toWordItems = (text: string): readonly FilterItem[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, MOST_WORDS)
    .map((vstd) => ({ field: 'about', cond: 'like', vstd }))

type Common = Pick<AlarmsUrl, 'severities' | 'kinds' | 'text'>

const toCommonItems = ({ severities, kinds, text }: Common): readonly FilterItem[] => [
  ...isOneOf('severity', severities),
  ...isOneOf('kind', kinds),
  ...toWordItems(text),
]

/** What of a request says which alarms are listed. */
export interface AlarmFilter {
  readonly filter: FilterItem[]
  readonly open: boolean
  readonly suppressed: boolean
}

export type ListUrl = Common & Pick<AlarmsUrl, 'state' | 'assignee' | 'silenced' | 'kept'>

/** Which alarms the list shows. */
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
  suppressed: url.kept,
})

/** Whether anything narrows the list beside what it leaves out by default. */
export const isNarrowed = ({ severities, kinds, text, state, assignee }: ListUrl): boolean =>
  severities.length > 0 || kinds.length > 0 || text.trim() !== '' || state !== 'open' || assignee !== ''

/** What shows everything that is open again. */
export const notNarrowed = { severities: [], kinds: [], text: '', state: 'open', assignee: '' } as const

/** Which entries of the log are shown. */
export const toLogFilter = (url: Common & Pick<AlarmsUrl, 'events'>): FilterItem[] => [
  ...toCommonItems(url),
  ...isOneOf('event', url.events),
]

/** Of one filter; the server takes no longer list of values. */
const IDS_AT_ONCE = 150

/** The conditions that name just these alarms, each short enough to be sent. */
export function toIdFilters(ids: readonly number[]): readonly FilterItem[][] {
  const filters: FilterItem[][] = []
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
    filters.push([...isOneOf('id', ids.slice(at, at + IDS_AT_ONCE))])
  return filters
}
