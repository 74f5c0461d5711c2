import type { Random } from '@isotherm/kernel/random'
import type { ActiveFault } from './fault-board.ts'

/** Shown values of a device by metric name. */
export type Shown = Record<string, number>

/** Frozen values by metric. */
export type FrozenValues = Map<string, number>

/** Applies sensor faults: the device continues to compute with the wrong values. Changes `shown`. */
export function distortSensors(faults: readonly ActiveFault[], shown: Shown, simTimeS: number): void {
  for (const { fault, sinceS } of faults) {
    if (fault.kind === 'swapped') {
      const { 'temp.supply': supply, 'temp.return': back } = shown
      if (supply === undefined || back === undefined) continue
      shown['temp.supply'] = back
      shown['temp.return'] = supply
    } else if (fault.kind === 'drift') {
      const truth = shown[fault.metric]
      if (truth === undefined) continue
      const decimals = truth === Math.round(truth * 10) / 10 ? 10 : 100
      const drifted = truth + fault.limit * (1 - Math.exp(-(simTimeS - sinceS) / fault.timeS))
      shown[fault.metric] = Math.round(drifted * decimals) / decimals
    }
  }
}

/** Applies display faults: spikes, or frozen values. Changes `shown` and `held`. */
export function distortDisplay(
  faults: readonly ActiveFault[],
  shown: Shown,
  held: FrozenValues,
  noise: Random,
): void {
  const frozen = new Set<string>()
  for (const { fault } of faults) {
    if (fault.kind === 'spike') {
      const truth = shown[fault.metric]
      if (truth !== undefined && noise() < fault.share) shown[fault.metric] = truth + fault.height
    } else if (fault.kind === 'frozen') {
      for (const metric of fault.metric === undefined ? Object.keys(shown) : [fault.metric]) {
        frozen.add(metric)
      }
    }
  }
  for (const metric of frozen) {
    const last = held.get(metric) ?? shown[metric]
    if (last === undefined) continue
    held.set(metric, last)
    shown[metric] = last
  }
  for (const metric of held.keys()) if (!frozen.has(metric)) held.delete(metric)
}
