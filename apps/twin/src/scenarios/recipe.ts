import { topicPart } from '@isotherm/contract/mqtt'
import { z } from 'zod'
import { fault } from '../faults/fault.ts'
import { firmware } from './firmware.ts'
import { companySize } from './layouts/generated-layout.ts'
import { irrigationSize } from './layouts/irrigation-layout.ts'
import { weatherSpec } from './weather-spec.ts'

const share = z.number().min(0).max(1)

/** Shares of faulty devices and records; the seed selects them. */
const faultShares = z.object({
  /** Share of valves with a blocked motor. */
  stuck: share,
  /** Share of valves with a frozen return sensor, and of silent room sensors. */
  deadSensors: share,
  /** Share of units with half or twice the true area in the records. */
  wrongAreas: share,
})

/**
 * A scenario as data: the content of a scenario file and of the named scenarios. The plant is generated from it and the seed.
 */
export const recipe = z.object({
  v: z.literal(1),
  name: z.string().min(1).max(60),
  seed: z.number().int().min(0).max(4_294_967_295),
  /** Language of the generated names. */
  language: z.enum(['zh', 'en']).default('zh'),
  company: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('demo') }),
    companySize.extend({
      kind: z.literal('made'),
      tenant: topicPart,
      companyName: z.string().min(1).max(40),
    }),
    irrigationSize.extend({
      kind: z.literal('irrigation'),
      tenant: topicPart,
      companyName: z.string().min(1).max(40),
    }),
    /** Path of a registry file, from the scenario file's folder. */
    z.object({ kind: z.literal('registry'), file: z.string().min(1) }),
  ]),
  /** Share of buildings with floor heating. */
  floorShare: share,
  /** Whether valves measure flow; otherwise only temperatures. */
  flowInValves: z.boolean(),
  /** Share of heating valves that have their own NB-IoT radio instead of the concentrator's bus. */
  ownLinkShare: share.default(0),
  /** Whether a main joins the ends of each station's streets, so that its network is a mesh. */
  ringMains: z.boolean().default(false),
  weather: weatherSpec,
  firmware,
  faulty: faultShares,
  faults: z.array(fault).max(10_000),
})
export type Recipe = z.infer<typeof recipe>
export type FaultShares = z.infer<typeof faultShares>
