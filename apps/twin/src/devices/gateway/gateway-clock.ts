import { type Random, sampleNormal } from '@isotherm/kernel/random'

/** Clock of a gateway, which drifts after it is set. All times Unix ms. */
export interface GatewayClock {
  readonly driftPpm: number
  /** True time when it was set, and its offset then. */
  setAtMs: number
  offsetMs: number
}

export const createGatewayClock = (deviationPpm: number, identity: Random, nowMs: number): GatewayClock => ({
  driftPpm: deviationPpm === 0 ? 0 : sampleNormal(identity, 0, deviationPpm),
  setAtMs: nowMs,
  offsetMs: 0,
})

/** Time of the clock at a true instant, in whole ms. */
export const showTime = ({ driftPpm, setAtMs, offsetMs }: GatewayClock, nowMs: number): number =>
  Math.round(nowMs + offsetMs + (nowMs - setAtMs) * driftPpm * 1e-6)

/** Sets the clock to the server's time. */
export function setTime(clock: GatewayClock, serverMs: number, nowMs: number): void {
  clock.setAtMs = nowMs
  clock.offsetMs = serverMs - nowMs
}
