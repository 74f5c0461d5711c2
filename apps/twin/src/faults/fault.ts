import { isMetricName, type MetricName } from '@isotherm/contract/metrics'
import { z } from 'zod'

const target = z.string().min(1).max(64)
const metric = z.custom<MetricName>((value) => typeof value === 'string' && isMetricName(value))

/** Start and end in simulated seconds since the start of the scenario; absent: always. */
const span = { target, fromS: z.number().nonnegative().optional(), untilS: z.number().positive().optional() }

/**
 * Faults of a field (balancing.md B.7). `target` is the serial of a device; for mistakes in the records (`wrong-area`,
 * `wrong-parent`) it is the key of a tree node.
 */
export const fault = z.discriminatedUnion('kind', [
  /** Frozen display: always the last value, of one metric or of all. */
  z.object({ kind: z.literal('frozen'), ...span, metric: metric.optional() }),
  /** Spikes of `height`, with probability `share` per reading. */
  z.object({
    kind: z.literal('spike'),
    ...span,
    metric,
    height: z.number(),
    share: z.number().gt(0).max(1),
  }),
  /** The pair of temperature sensors is swapped. */
  z.object({ kind: z.literal('swapped'), ...span }),
  /** Drifts towards an error of `limit`, with time constant `timeS`. */
  z.object({ kind: z.literal('drift'), ...span, metric, limit: z.number(), timeS: z.number().positive() }),
  /** Silent: a child does not answer on its bus; a concentrator loses its radio. */
  z.object({ kind: z.literal('offline'), ...span }),
  /** The valve's motor is blocked; of a pump house's controller: its master valve stays as it is. */
  z.object({ kind: z.literal('stuck'), ...span }),
  /** The motor turns and reports it, but the stem follows only by the share `grip` (0..1). */
  z.object({ kind: z.literal('slipping'), ...span, grip: z.number().min(0).lt(1) }),
  /** A partly clogged strainer before the valve: resistance of the circuit times `factor`. */
  z.object({ kind: z.literal('clogged'), ...span, factor: z.number().gt(1) }),
  /** An open bypass before the valve, with `share` of the design flow at 20 kPa. */
  z.object({ kind: z.literal('bypass'), ...span, share: z.number().positive() }),
  /** A private pump in the circuit: head in Pa. */
  z.object({ kind: z.literal('private-pump'), ...span, headPa: z.number().positive() }),
  /** The well before the pump of a pump house has no water; the target is its controller. */
  z.object({ kind: z.literal('dry-well'), ...span }),
  /** The records contain `factor` times the true area of everything at the node and below. */
  z.object({ kind: z.literal('wrong-area'), target, factor: z.number().positive() }),
  /** The records place a node below `parent` instead of its true parent. */
  z.object({ kind: z.literal('wrong-parent'), target, parent: target }),
])
export type Fault = z.infer<typeof fault>
export type FaultKind = Fault['kind']
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>

/** Whether a fault is one of a device, with a start and an end; the others are mistakes of the records. */
export type DeviceFault = Exclude<Fault, { kind: 'wrong-area' | 'wrong-parent' }>

export const isDeviceFault = (candidate: Fault): candidate is DeviceFault =>
  candidate.kind !== 'wrong-area' && candidate.kind !== 'wrong-parent'
