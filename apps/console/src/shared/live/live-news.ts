import type { LiveEvent } from '@isotherm/contract/live'

const kinds = [
  'alarm',
  'silences',
  'alarm-rules',
  'batch',
  'hold',
  'export',
  'campaign',
  'strategy',
  'places',
] as const satisfies readonly LiveEvent['type'][]

/** What is told to whoever may know of it, whatever is subscribed. */
export type LiveNews = Extract<LiveEvent, { type: (typeof kinds)[number] }>

export const isNews = (event: LiveEvent): event is LiveNews => kinds.some((kind) => kind === event.type)
