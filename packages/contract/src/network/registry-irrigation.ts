import { z } from 'zod'
import { storedName } from '../entity.ts'
import {
  irrigationGroupSettings,
  irrigationPlan,
  irrigationProgramSettings,
  irrigationSourceSettings,
  irrigationValve,
} from '../irrigation.ts'
import { topicPart } from '../mqtt.ts'

/** Key of a node or of a group inside the file. */
const key = z.string().min(1).max(64)
const name = storedName.trim()

/**
 * Irrigation of a node in a registry file: the settings of its source, its groups and its programs. Devices are named by
 * their serials, groups by the keys of their nodes.
 */
export const registryIrrigation = z.object({
  node: key,
  settings: irrigationSourceSettings
    .omit({ masterId: true, stationId: true, meterId: true, inletId: true, outletId: true, rainId: true })
    .extend({ name }),
  /** Serial of the controller of the pump house. */
  station: topicPart.optional(),
  /** Serials of its flow meter and its rain sensor. */
  meter: topicPart.optional(),
  rain: topicPart.optional(),
  groups: z.array(
    irrigationGroupSettings.omit({ probeIds: true }).extend({
      key,
      name,
      /** Serials of its soil probes. */
      probes: z.array(topicPart).optional(),
      valves: z.array(irrigationValve.omit({ deviceId: true }).extend({ serial: topicPart })).min(1),
    }),
  ),
  programs: z.array(
    irrigationProgramSettings.extend({
      name,
      plan: irrigationPlan.extend({
        entries: z
          .array(z.object({ group: key, runS: irrigationPlan.shape.entries.element.shape.runS }))
          .min(1),
      }),
    }),
  ),
})
export type RegistryIrrigation = z.infer<typeof registryIrrigation>
