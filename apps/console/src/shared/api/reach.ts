import { create } from 'zustand'

/** Whether the server answers, as the calls see it. The live connection has a state of its own. */
export interface Reach {
  /** Instant (Unix ms, own clock) of the last answer before the calls began to fail; absent while they do not. */
  readonly since: number | undefined
  /** Instant of the last answer; absent before the first. */
  readonly answeredAt: number | undefined
}

/** What a call's outcome makes of the reach: any answer ends a loss, a failure begins one at the last answer. */
export function toReach({ since, answeredAt }: Reach, reached: boolean, now: number): Reach {
  if (reached) return { since: undefined, answeredAt: now }
  return { since: since ?? answeredAt ?? now, answeredAt }
}

export const useReach = create<Reach>(() => ({ since: undefined, answeredAt: undefined }))

export function noteReach(reached: boolean, now: number): void {
  useReach.setState((reach) => toReach(reach, reached, now))
}
