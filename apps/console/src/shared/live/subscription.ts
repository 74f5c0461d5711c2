import type { DeviceKind } from '@isotherm/contract/devices'
import type { LiveCursor, LiveEvent } from '@isotherm/contract/live'
import type { NodeKey } from '@isotherm/contract/tree'
import { noStatesById, type StatesById } from './states-by-id.ts'

/** A live query: devices of some kinds below some nodes; no nodes means all. `deviceIds`: only these of them. */
export interface LiveQuery {
  readonly nodes: readonly NodeKey[]
  readonly kinds: readonly DeviceKind[]
  readonly deviceIds?: readonly number[]
}

/** Data of a subscription. Immutable: a frame with changes creates a new object. */
export interface LiveStates {
  readonly states: StatesById
  /** True once the first answer is complete; until then the data are partial. */
  readonly ready: boolean
  /** Code of the refusal, if the server refused the subscription. */
  readonly refused: string | undefined
}

export const noLiveStates: LiveStates = { states: noStatesById, ready: false, refused: undefined }

export type StatesEvent = Extract<LiveEvent, { type: 'states' }>

/** Key of a subscription. Equal queries share one, independent of the order of nodes, kinds and devices. */
export const toLiveKey = ({ nodes, kinds, deviceIds }: LiveQuery): string =>
  JSON.stringify([[...nodes].sort(), [...kinds].sort(), deviceIds && [...deviceIds].sort()])

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

/** Cursor after the events of one frame. */
export const toCursor = (
  held: LiveCursor | undefined,
  events: readonly StatesEvent[],
): LiveCursor | undefined => events.at(-1)?.cursor ?? held
