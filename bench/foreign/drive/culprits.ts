import type { Exclusions } from '../../../apps/server/src/modules/balancing/loop/exclusions.ts'
import { STILL_PCT } from '../../../apps/server/src/modules/balancing/measurements/measured-loop.ts'
import type { DoneRound } from './campaign.ts'

/**
 * Valves that caused the abort of earlier rounds, as
 * `apps/server/src/modules/balancing/campaign/storage/culprits.pg.ts` finds them in the database. A run is so
 * short that no culprit expires. A valve that moved and confirmed a later command is no culprit any more.
 */
export function culpritsOf(rounds: readonly DoneRound[]): Exclusions {
  const culprits: Map<number, 'starved-before' | 'unanswered-before' | 'stuck'> = new Map()
  for (const { abort, sent, silent, missed, starved } of rounds) {
    for (const { deviceId, fromPct, toPct } of sent.flatMap(({ moves }) => moves))
      if (!silent.has(deviceId) && !missed.has(deviceId) && Math.abs(toPct - fromPct) > STILL_PCT)
        culprits.delete(deviceId)
    for (const deviceId of starved) culprits.set(deviceId, 'starved-before')
    if (abort?.kind === 'unanswered') {
      for (const deviceId of silent) culprits.set(deviceId, 'unanswered-before')
      for (const deviceId of missed) culprits.set(deviceId, 'stuck')
    }
    if (abort?.kind === 'starved')
      for (const deviceId of abort.deviceIds) culprits.set(deviceId, 'starved-before')
  }
  return culprits
}
