import type { Alarm } from '@isotherm/contract/alarms/alarms'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { findAlarms } from './queries/alarm-rows.pg.ts'

/** An alarm that changed, with the path it stands at; undefined when so many did that they are better read anew. */
export type AlarmNews = { readonly alarm: Alarm; readonly path: string } | undefined
export type AlarmNewsListener = (news: AlarmNews) => void
/** Takes the path of a node at which a silence began or ended. */
export type SilenceListener = (path: string) => void
export type RulesListener = () => void

/** Of more at once nobody is told one by one. */
const MOST_TOLD = 200
const nobody = { permissions: new Set<never>(), scope: scopeOfEverything }

/**
 * Tells listeners of alarms and rules that changed and of silences that began or ended. What each may do with them is for whoever
 * shows them to ask.
 */
export function createAlarmNews({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  const listeners = new Set<AlarmNewsListener>()
  const silenceListeners = new Set<SilenceListener>()
  const rulesListeners = new Set<RulesListener>()
  const tellAll = (news: AlarmNews): void => {
    for (const heard of listeners) heard(news)
  }
  return {
    onChanged(heard: AlarmNewsListener): () => void {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    onSilence(heard: SilenceListener): () => void {
      silenceListeners.add(heard)
      return () => silenceListeners.delete(heard)
    },
    onRules(heard: RulesListener): () => void {
      rulesListeners.add(heard)
      return () => rulesListeners.delete(heard)
    },
    tellRules(): void {
      for (const heard of rulesListeners) heard()
    },
    tellSilence(path: string): void {
      for (const heard of silenceListeners) heard(path)
    },
    async tell(ids: readonly number[] | undefined): Promise<void> {
      if (listeners.size === 0) return
      if (!ids || ids.length > MOST_TOLD) return tellAll(undefined)
      for (const news of await findAlarms(db, nobody, ids, clock.now())) tellAll(news)
    },
  }
}
