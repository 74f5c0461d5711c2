import { isMetricName, type MetricName } from '@isotherm/contract/metrics'
import { z } from 'zod'

const target = z.string().min(1).max(64)
const metric = z.custom<MetricName>((value) => typeof value === 'string' && isMetricName(value))

/** From and until when, in simulated seconds since the scenario began; absent: always. */
const span = { target, fromS: z.number().nonnegative().optional(), untilS: z.number().positive().optional() }

/**
 * Everything that may go wrong in a field (balancing.md B.7). `target` is the serial of a device; for what is wrong in
 * the records (`wrong-area`, `wrong-parent`) it is the key of a node.
 */
export const fault = z.discriminatedUnion('kind', [
  /** Shows for ever what it showed last; one metric or, without one, all of them. */
  z.object({ kind: z.literal('frozen'), ...span, metric: metric.optional() }),
  /** Now and then, with probability `share` a reading, off by `height`. */
  z.object({
    kind: z.literal('spike'),
    ...span,
    metric,
    height: z.number(),
    share: z.number().gt(0).max(1),
  }),
  /** The pair of temperature sensors is mounted the wrong way round. */
  z.object({ kind: z.literal('swapped'), ...span }),
  /** Wanders away by `limit`, with time constant `timeS`. */
  z.object({ kind: z.literal('drift'), ...span, metric, limit: z.number(), timeS: z.number().positive() }),
  /** Silent: a child does not answer on its bus; a concentrator loses its radio. */
  z.object({ kind: z.literal('offline'), ...span }),
  /** The valve's motor is blocked. */
  z.object({ kind: z.literal('stuck'), ...span }),
  /** The motor turns and says so, the stem takes only `grip` (0..1) of its way. */
  z.object({ kind: z.literal('slipping'), ...span, grip: z.number().min(0).lt(1) }),
  /** The strainer before the valve is partly clogged: resistance of the circuit times `factor`. */
  z.object({ kind: z.literal('clogged'), ...span, factor: z.number().gt(1) }),
  /** A bypass before the valve stands open and would take `share` of the design flow at 20 kPa. */
  z.object({ kind: z.literal('bypass'), ...span, share: z.number().positive() }),
  /** Somebody built a pump of his own into the circuit: head in Pa. */
  z.object({ kind: z.literal('private-pump'), ...span, headPa: z.number().positive() }),
  /** The records hold `factor` times the true area of everything at the node and below. */
  z.object({ kind: z.literal('wrong-area'), target, factor: z.number().positive() }),
  /** The records place a node below `parent` instead of where it stands. */
  z.object({ kind: z.literal('wrong-parent'), target, parent: target }),
])
export type Fault = z.infer<typeof fault>
export type FaultKind = Fault['kind']
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>

/** A fault of a device, which comes and goes with time; the others are mistakes of the records. */
export type DeviceFault = Exclude<Fault, { kind: 'wrong-area' | 'wrong-parent' }>

export const isDeviceFault = (candidate: Fault): candidate is DeviceFault =>
  candidate.kind !== 'wrong-area' && candidate.kind !== 'wrong-parent'
