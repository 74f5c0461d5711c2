import type { BirthMessage } from '@isotherm/contract/mqtt'
import type { Config } from '../../../platform/config.ts'

/** How much faster the time of a simulated field runs than real time. */
export interface TimeFactor {
  /** Takes the factor of a birth message; ignored outside of demo mode. */
  note(birth: Pick<BirthMessage, 'timeFactor'>): void
  /** Undefined with a real field, whatever its gateways report. */
  find(): number | undefined
}

export function createTimeFactor(mode: Config['mode']): TimeFactor {
  let factor: number | undefined
  return {
    note(birth) {
      if (mode === 'demo') factor = birth.timeFactor ?? factor
    },
    find: () => factor,
  }
}
