import { DAY_MS } from '@isotherm/kernel/durations'
import { findKnown, toSearch } from '../../../shared/url/url-words.ts'

/** Ranges of the timeline and of the frames, ms before now. */
export const ranges = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const
export type RangeKey = keyof typeof ranges

export const rangeKeys = Object.keys(ranges) as readonly RangeKey[]

export const sections = ['timeline', 'readings', 'frames', 'paste'] as const
export type Section = (typeof sections)[number]

/** State of the page of one device in its address. */
export interface DebugUrl {
  /** Number of the device; undefined until one is chosen. */
  readonly id: number | undefined
  /** The place of a scanned label; undefined with a device. */
  readonly node: string | undefined
  readonly range: RangeKey
  readonly section: Section
}

export const parseDebugUrl = (search: URLSearchParams): DebugUrl => ({
  id: Number(search.get('id')) || undefined,
  node: search.get('node') || undefined,
  range: findKnown(search.get('range') ?? '', rangeKeys) ?? '24h',
  section: findKnown(search.get('show') ?? '', sections) ?? 'timeline',
})

export const debugToSearch = ({ id, node, range, section }: DebugUrl): URLSearchParams =>
  toSearch({
    id: id === undefined ? '' : String(id),
    node: id === undefined ? (node ?? '') : '',
    range: range === '24h' ? '' : range,
    show: section === 'timeline' ? '' : section,
  })
