import type { DeviceKind } from '@isotherm/contract/devices'
import type { LiveCursor, LiveEvent } from '@isotherm/contract/live'
import type { NodeKey } from '@isotherm/contract/tree'
import { noStatesById, type StatesById } from './states-by-id.ts'

/** What a page wants to see live: devices of some kinds below some nodes; no nodes means everything. */
export interface LiveQuery {
  readonly nodes: readonly NodeKey[]
  readonly kinds: readonly DeviceKind[]
}

/** What a subscription holds. A new object after every frame in which something changed, never changed in place. */
export interface LiveStates {
  readonly states: StatesById
  /** True once the server has answered with everything the subscription matches; until then a part of it is held. */
  readonly ready: boolean
  /** Code with which the server refused the subscription. */
  readonly refused: string | undefined
}

export const noLiveStates: LiveStates = { states: noStatesById, ready: false, refused: undefined }

export type StatesEvent = Extract<LiveEvent, { type: 'states' }>

/** Two pages that ask for the same share one subscription; the order of nodes and kinds does not matter. */
export const toLiveKey = (query: LiveQuery): string =>
  JSON.stringify([[...query.nodes].sort(), [...query.kinds].sort()])

/** Applies the events of one frame. Rows that did not change keep their identity. */
export function applyStates(held: LiveStates, events: readonly StatesEvent[]): LiveStates {
  if (events.length === 0) return held
  let { states, ready } = held
  for (const event of events) {
    states = (event.full ? noStatesById : states).with(event.rows)
    if (!event.more) ready = true
    else if (event.full) ready = false
  }
  return { states, ready, refused: undefined }
}

/** Where to resume after the events of one frame. */
export const toCursor = (
  held: LiveCursor | undefined,
  events: readonly StatesEvent[],
): LiveCursor | undefined => events.at(-1)?.cursor ?? held
