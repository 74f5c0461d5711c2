import { create } from 'zustand'

/** Whether HTTP calls reach the server. The live connection has its own state. */
export interface Reach {
  /**
   * Instant of the last answer before calls started to fail, Unix ms of the local clock; absent while calls succeed.
   */
  readonly since: number | undefined
  /** Instant of the last answer, Unix ms; absent before the first. */
  readonly answeredAt: number | undefined
}

/** Next state after a call. An answer ends a loss. A failure starts one, which dates back to the last answer. */
export function toReach({ since, answeredAt }: Reach, reached: boolean, now: number): Reach {
  if (reached) return { since: undefined, answeredAt: now }
  return { since: since ?? answeredAt ?? now, answeredAt }
}

export const useReach = create<Reach>(() => ({ since: undefined, answeredAt: undefined }))

export function recordReach(reached: boolean, now: number): void {
  useReach.setState((reach) => toReach(reach, reached, now))
}
