import {
  type AlarmKind,
  type AlarmSeverity,
  alarmKindNames,
  alarmSeverity,
} from '@isotherm/contract/alarms/alarm-kinds'
import { type AlarmEvent, alarmEvent } from '@isotherm/contract/alarms/alarms'
import { findKnown, parseIds, pickKnown, toSearch } from '../../../shared/url/url-words.ts'
import { type LogRange, parseLogRange, toLogRangeText } from './log-range.ts'

export const sections = ['open', 'rules', 'silences', 'log', 'targets'] as const
export type Section = (typeof sections)[number]

/** The section of another feature that a plain address shows. */
const FIRST_PART = 'rooms'

/** State filters of the list; `open` means all but the ended alarms. */
export const stateFilters = ['open', 'unacknowledged', 'active', 'acknowledged', 'cleared', 'ended'] as const
export type StateFilter = (typeof stateFilters)[number]

/** Sort keys of the list; `worst` is the order of the server: most severe and newest first. */
export const sortKeys = ['worst', 'severity', 'kind', 'place', 'value', 'raised', 'state'] as const
export type SortKey = (typeof sortKeys)[number]

/** State of the alarms page in its address. Severities, kinds and text apply to the list and the log. */
export interface AlarmsUrl {
  readonly section: Section
  /** Word of a section of another feature, which is shown instead of `section`. */
  readonly part: string | undefined
  readonly severities: readonly AlarmSeverity[]
  readonly kinds: readonly AlarmKind[]
  readonly text: string
  readonly state: StateFilter
  /** Account of the assignee. */
  readonly assignee: string
  /** Also show alarms of silenced nodes. */
  readonly silenced: boolean
  /** Also show suppressed alarms. */
  readonly suppressed: boolean
  readonly sort: SortKey
  readonly descending: boolean
  readonly picked: readonly number[]
  /** The alarm in the open drawer. */
  readonly alarm: number | undefined
  readonly events: readonly AlarmEvent[]
  readonly range: LogRange
  /** Page of the log, from 1. */
  readonly page: number
}

const toPage = (text: string | null): number => parseIds(text)[0] ?? 1

export function parseAlarmsUrl(search: URLSearchParams): AlarmsUrl {
  const sort = search.get('sort') ?? ''
  const named = search.get('section')
  const section = findKnown(named, sections)
  const descending = sort.startsWith('-')
  return {
    section: section ?? 'open',
    part: section ? undefined : (named ?? (search.size === 0 ? FIRST_PART : undefined)),
    severities: pickKnown(search.get('severity'), alarmSeverity.options),
    kinds: pickKnown(search.get('kind'), alarmKindNames),
    text: search.get('q') ?? '',
    state: findKnown(search.get('state'), stateFilters) ?? 'open',
    assignee: search.get('assignee') ?? '',
    silenced: search.get('silenced') === '1',
    suppressed: search.get('suppressed') === '1',
    sort: findKnown(descending ? sort.slice(1) : sort, sortKeys) ?? 'worst',
    descending,
    picked: parseIds(search.get('pick')),
    alarm: parseIds(search.get('alarm'))[0],
    events: pickKnown(search.get('event'), alarmEvent.options),
    range: parseLogRange(search.get('range')),
    page: toPage(search.get('page')),
  }
}

export const toAlarmsSearch = (url: AlarmsUrl): URLSearchParams =>
  toSearch({
    section: url.part === FIRST_PART ? '' : (url.part ?? url.section),
    severity: url.severities.join(','),
    kind: url.kinds.join(','),
    q: url.text,
    state: url.state === 'open' ? '' : url.state,
    assignee: url.assignee,
    silenced: url.silenced ? '1' : '',
    suppressed: url.suppressed ? '1' : '',
    sort: url.sort === 'worst' ? '' : `${url.descending ? '-' : ''}${url.sort}`,
    pick: url.picked.join(','),
    alarm: url.alarm === undefined ? '' : String(url.alarm),
    event: url.events.join(','),
    range: toLogRangeText(url.range),
    page: url.page === 1 ? '' : String(url.page),
  })
