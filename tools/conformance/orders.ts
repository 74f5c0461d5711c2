import { isHeadAt, OFFSET_TOLERANCE_K, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import type { MetricName } from '@isotherm/contract/metrics'

/** A command that the server can send, and how its effect is recognised. */
export interface OrderKind {
  readonly name: 'valve.set' | 'pump.set' | 'supply.set'
  /** A device that reports this metric supports the command. */
  readonly metric: MetricName
  /** Metric of the reading that confirms it. */
  readonly confirmedBy: MetricName
  /** Two targets that differ from the present value and from each other. */
  toTargets(present: number): readonly [number, number]
  toArguments(target: number): Readonly<Record<string, number>>
  /** Arguments outside their range. */
  readonly wrong: Readonly<Record<string, number>>
  isAt(value: number, target: number): boolean
}

export const orderKinds: readonly OrderKind[] = [
  {
    name: 'valve.set',
    metric: 'valve.opening',
    confirmedBy: 'valve.opening',
    toTargets: (present) => (present > 50 ? [30, 40] : [70, 60]),
    toArguments: (opening) => ({ opening }),
    wrong: { opening: 140 },
    isAt: (value, target) => Math.abs(value - target) <= OPENING_TOLERANCE_PCT,
  },
  {
    name: 'pump.set',
    metric: 'pump.target',
    confirmedBy: 'pressure.diff',
    toTargets: (present) => (present > 50 ? [present - 10, present - 20] : [present + 10, present + 20]),
    toArguments: (head) => ({ head }),
    wrong: { head: 5_000 },
    isAt: isHeadAt,
  },
  {
    name: 'supply.set',
    metric: 'supply.offset',
    confirmedBy: 'supply.offset',
    toTargets: (present) => (present > 0 ? [present - 2, present - 3] : [present + 2, present + 3]),
    toArguments: (offset) => ({ offset }),
    wrong: { offset: 400 },
    isAt: (value, target) => Math.abs(value - target) <= OFFSET_TOLERANCE_K,
  },
]
