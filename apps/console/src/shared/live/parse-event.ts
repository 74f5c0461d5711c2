import { type LiveEvent, liveEvent } from '@isotherm/contract/live'

/** A parsed message of the live stream; undefined if the contract does not define it. */
export function parseEvent(data: unknown): LiveEvent | undefined {
  if (typeof data !== 'string') return undefined
  try {
    return liveEvent.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}
