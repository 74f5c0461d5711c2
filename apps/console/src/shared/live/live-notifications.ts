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

/** Messages to every connection of a user who may see their subject; they need no subscription. */
export type LiveNotification = Extract<LiveEvent, { type: (typeof kinds)[number] }>

export const isNotification = (event: LiveEvent): event is LiveNotification =>
  kinds.some((kind) => kind === event.type)
