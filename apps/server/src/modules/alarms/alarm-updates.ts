import type { Alarm } from '@isotherm/contract/alarms/alarms'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { findAlarms } from './queries/alarm-rows.pg.ts'

/** A changed alarm with its path; undefined if too many alarms changed, so that the listener must read them again. */
export type AlarmUpdate = { readonly alarm: Alarm; readonly path: string } | undefined
export type AlarmListener = (update: AlarmUpdate) => void
/** Called with the path of a node where a silence started or ended. */
export type SilenceListener = (path: string) => void
export type RulesListener = () => void

/** Above this number of changes, listeners get one update without an alarm instead of one per alarm. */
const MAX_UPDATES = 200
const system = { permissions: new Set<never>(), scope: scopeOfEverything }

/**
 * Notifies listeners of changed alarms and rules, and of silences that started or ended. Updates contain no abilities;
 * clients request them.
 */
export function createAlarmUpdates({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  const listeners = new Set<AlarmListener>()
  const silenceListeners = new Set<SilenceListener>()
  const rulesListeners = new Set<RulesListener>()
  const notifyAll = (update: AlarmUpdate): void => {
    for (const listener of listeners) listener(update)
  }
  return {
    onChanged(listener: AlarmListener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onSilence(listener: SilenceListener): () => void {
      silenceListeners.add(listener)
      return () => silenceListeners.delete(listener)
    },
    onRules(listener: RulesListener): () => void {
      rulesListeners.add(listener)
      return () => rulesListeners.delete(listener)
    },
    notifyOfRules(): void {
      for (const listener of rulesListeners) listener()
    },
    notifyOfSilence(path: string): void {
      for (const listener of silenceListeners) listener(path)
    },
    async notifyOfAlarms(ids: readonly number[] | undefined): Promise<void> {
      if (listeners.size === 0) return
      if (!ids || ids.length > MAX_UPDATES) return notifyAll(undefined)
      for (const update of await findAlarms(db, system, ids, clock.now())) notifyAll(update)
    },
  }
}
