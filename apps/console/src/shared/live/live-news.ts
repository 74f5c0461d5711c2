import type { LiveEvent } from '@isotherm/contract/live'

/** What is told to whoever may know of it, whatever is subscribed. */
export type LiveNews = Extract<LiveEvent, { type: 'alarm' | 'batch' | 'hold' | 'export' }>

export const isNews = (event: LiveEvent): event is LiveNews =>
  event.type === 'alarm' || event.type === 'batch' || event.type === 'hold' || event.type === 'export'
