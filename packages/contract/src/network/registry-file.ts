import { isImei } from '@isotherm/kernel/imei'
import { z } from 'zod'
import { deviceKind, openingLimits } from '../devices.ts'
import { storedName } from '../entity.ts'
import { topicPart } from '../mqtt.ts'
import { addressName, nodeName } from '../tree.ts'
import { findCurveFault, valveCharacteristic } from '../valve-characteristic.ts'
import { emitterKind } from './emitters.ts'
import { heatedArea } from './heated-area.ts'
import { pipeRecord } from './pipes.ts'
import { groundPosition } from './position.ts'
import { registryIrrigation } from './registry-irrigation.ts'

const levelsOf = {
  project: { from: 1, to: 1 },
  group: { from: 2, to: 5 },
  'sub-user': { from: 6, to: 6 },
  address: { from: 7, to: 8 },
} as const

/**
 * A company's structure and devices in one file, written by the twin and imported by the server. Parents come before their
 * children; `key` and `parent` are names inside the file.
 */
export const registryNode = z
  .object({
    key: z.string().min(1).max(64),
    parent: z.string().min(1).max(64).nullable(),
    /** project: level 1. group: levels 2 to 5. sub-user: level 6, a building. address: 7 a unit, 8 a household. */
    kind: z.enum(['project', 'group', 'sub-user', 'address']),
    level: z.number().int().min(1).max(8),
    name: nodeName,
    /** Heated floor area of a household, m². */
    areaM2: heatedArea.optional(),
    /** Subdivision type of a group; the tree collapses s after loading (specification, section 4). */
    stype: z.string().min(1).max(8).optional(),
    /** Description of a group. */
    description: z.string().max(200).optional(),
    /** Position on the map; stored only if nobody has placed the node or removed it from the map. */
    place: groundPosition.optional(),
    /** Heat emitter of the rooms below it; stored only if nobody has set one for the node. */
    emitter: emitterKind.optional(),
    /** Marks the one sub-user for tests. */
    test: z.boolean().optional(),
  })
  .refine(({ kind, level }) => level >= levelsOf[kind].from && level <= levelsOf[kind].to, {
    path: ['level'],
    error: 'is not allowed for its kind',
  })
  .refine(({ kind, name }) => kind !== 'address' || addressName.safeParse(name).success, {
    path: ['name'],
    error: 'a unit or household has no hyphen in its name',
  })
export type RegistryNode = z.infer<typeof registryNode>

export const registryDevice = z
  .object({
    serial: topicPart,
    kind: deviceKind,
    name: storedName,
    model: storedName,
    /** Key of its node. */
    node: z.string().min(1).max(64),
    /** Serial of its concentrator; null for a device with its own link. */
    concentrator: topicPart.nullable(),
    periodS: z.number().positive(),
    limits: openingLimits.optional(),
    /** Stated characteristic of a valve; stored only if nobody has stated one. */
    characteristic: valveCharacteristic
      .refine(
        (given) => given.kind !== 'measured' || findCurveFault(given.points) === undefined,
        'is no curve',
      )
      .optional(),
    /** IMEI of its radio, if any: 15 digits, the last one is a check digit. */
    imei: z.string().refine(isImei, 'an IMEI has 15 digits, the last one is a check digit').optional(),
    /** The number printed on a heat meter. */
    meterNo: z
      .string()
      .regex(/^[0-9A-Za-z]{4,20}$/, 'a meter number has 4 to 20 letters and digits')
      .optional(),
  })
  .refine(({ kind, meterNo }) => meterNo === undefined || kind === 'heat-meter', {
    path: ['meterNo'],
    error: 'only a heat meter has a meter number',
  })
  .refine(({ kind, characteristic }) => characteristic === undefined || kind === 'valve', {
    path: ['characteristic'],
    error: 'only a valve has a characteristic',
  })
export type RegistryDevice = z.infer<typeof registryDevice>

/** A recorded pipe between two nodes of the file; stored only if nobody has recorded or removed a pipe between them. */
export const registryPipe = pipeRecord.extend({
  from: z.string().min(1).max(64),
  to: z.string().min(1).max(64),
})
export type RegistryPipe = z.infer<typeof registryPipe>

export const registryFile = z.object({
  v: z.literal(1),
  company: z.object({ tenant: topicPart, name: storedName, timeZone: z.string().min(1) }),
  nodes: z.array(registryNode),
  devices: z.array(registryDevice),
  pipes: z.array(registryPipe).optional(),
  /** Irrigation, which the demo sets up at its first start. */
  irrigation: z.array(registryIrrigation).optional(),
})
export type RegistryFile = z.infer<typeof registryFile>
