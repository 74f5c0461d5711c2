import { drawNormal, type Random } from '@isotherm/kernel/random'

/** A concentrator's own clock: right when it was set, and wandering ever since. All times Unix ms. */
export interface GatewayClock {
  readonly driftPpm: number
  /** When it was set, by true time, and how far from it. */
  setAtMs: number
  offsetMs: number
}

export const createGatewayClock = (deviationPpm: number, identity: Random, nowMs: number): GatewayClock => ({
  driftPpm: deviationPpm === 0 ? 0 : drawNormal(identity, 0, deviationPpm),
  setAtMs: nowMs,
  offsetMs: 0,
})

/** What the clock shows at a true instant, in whole ms. */
export const showTime = ({ driftPpm, setAtMs, offsetMs }: GatewayClock, nowMs: number): number =>
  Math.round(nowMs + offsetMs + (nowMs - setAtMs) * driftPpm * 1e-6)

/** Puts the clock to what the server says it is. */
export function setTime(clock: GatewayClock, serverMs: number, nowMs: number): void {
  clock.setAtMs = nowMs
  clock.offsetMs = serverMs - nowMs
}
