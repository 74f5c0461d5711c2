import { type LiveEvent, liveEvent } from '@isotherm/contract/live'

/** A message of the live stream; nothing when it is not one of the contract's. */
export function parseEvent(data: unknown): LiveEvent | undefined {
  if (typeof data !== 'string') return undefined
  try {
    return liveEvent.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}
