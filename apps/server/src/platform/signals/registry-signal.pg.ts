import type { Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import { type RegistryChange, toRegistryPayloads } from './registry-signal.ts'
import { toSignal } from './signals.pg.ts'

/** Signals changed devices and moved subtrees when the transaction commits. */
export async function signalRegistry(
  transaction: Transaction<Tables>,
  change: RegistryChange,
): Promise<void> {
  for (const payload of toRegistryPayloads(change)) {
    await toSignal('registry_changed', payload).execute(transaction)
  }
}
