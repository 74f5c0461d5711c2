import { roomState } from '@isotherm/contract/endpoints/monitoring/rooms'
import { createListUrl, type ListUrl } from '../../shared/records/list-url.ts'
import { findKnown } from '../../shared/url/url-words.ts'

/** Address of the page of live rooms. */
export const roomAddress = createListUrl({
  filters: ['view', 'state', 'band'],
  sorts: ['temperature', 'place'],
})

export const roomViews = ['list', 'map'] as const
export type RoomView = (typeof roomViews)[number]

export const toView = ({ filters }: ListUrl): RoomView => findKnown(filters.view ?? '', roomViews) ?? 'list'

export const toState = ({ filters }: ListUrl) => findKnown(filters.state ?? '', roomState.options)

/** Position of the chosen band; undefined if none is chosen. */
export const toBand = ({ filters }: ListUrl): number | undefined =>
  /^[0-8]$/.test(filters.band ?? '') ? Number(filters.band) : undefined
