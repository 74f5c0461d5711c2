import type { Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Notes what depends on the places of devices. The returned function throws if a change since then took a device away from there. Both
 * run in the transaction of the change.
 */
export type GuardPlaces = (transaction: Transaction<Tables>) => Promise<() => Promise<void>>

/** Nothing depends on places. */
export const guardNothing: GuardPlaces = async () => async () => {}
