import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant, version } from '../../entity.ts'
import type { ErrorCode } from '../../errors.ts'
import { limiter, pageOf } from '../../filter.ts'
import {
  irrigationGroupSettings,
  irrigationPlan,
  irrigationPlannedRun,
  irrigationProgramSettings,
  irrigationRun,
  irrigationSource,
  irrigationSourceSettings,
  irrigationUse,
  irrigationWaterDay,
} from '../../irrigation.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { watchingDevices } from '../devices/device-access.ts'

const common = { backend: 'ht-api', method: 'POST' } as const
const watching = requiresPermission('pe-irrreal', 'pe-irrigation', 'pe-irrgrpsx')
const configuring = requiresPermission('pe-irrigation')
const running = requiresPermission('pe-irrigation', 'pe-irrgrpsx')

const id = z.number().int().positive()
const sourceId = refersTo('irrigation-source', id)
const groupId = refersTo('irrigation-group', id)
const programId = refersTo('irrigation-program', id)
const node = refersTo('node', nodeKey)
/** Version on which the change is based; absent for a new one. */
const edited = { version: version.optional() }

export const getIrrigation = defineEndpoint({
  ...common,
  path: '/Irrigation/GetIrrigation',
  summary: 'Sources of water below nodes with their groups, programs, runs under way and the coming runs.',
  access: watching,
  effect: 'reads',
  input: z.object({ nodes: z.array(node).max(2_000).optional() }),
  output: z.object({ datalist: z.array(irrigationSource) }),
  errors: ['node.not-found'],
})

export const getIrrigationUses = defineEndpoint({
  ...common,
  path: '/Irrigation/GetIrrigationUses',
  summary:
    'What a device does for irrigation: the sources and groups, within the grants of the caller, that it is part of.',
  access: requiresPermission(...watching.anyOf, ...watchingDevices.anyOf),
  effect: 'reads',
  input: z.object({ deviceId: refersTo('device', id) }),
  output: z.object({ datalist: z.array(irrigationUse) }),
  errors: ['device.not-found'],
})

export const getIrrigationRuns = defineEndpoint({
  ...common,
  path: '/Irrigation/GetIrrigationRuns',
  summary: 'Runs that began in a span of time, newest first, with their steps and the water used.',
  access: watching,
  effect: 'reads',
  input: z.object({
    nodes: z.array(node).max(2_000).optional(),
    sourceId: sourceId.optional(),
    from: instant.optional(),
    to: instant.optional(),
    limiter: limiter.default({ page: 1, size: 50 }),
  }),
  output: pageOf(irrigationRun).extend({
    volumeM3: z.number(),
    /** Water of the span by group, with the part that meters counted, m³. */
    groups: z.array(z.object({ groupId: id, volumeM3: z.number(), measuredM3: z.number() })),
  }),
  errors: ['node.not-found', 'irrigation.not-found'],
})

export const getIrrigationWater = defineEndpoint({
  ...common,
  path: '/Irrigation/GetIrrigationWater',
  summary:
    'Water of fields by local day, each day that a span of at most a year touches: that of all sources at a node together, in tree order, the newest day first.',
  access: watching,
  effect: 'reads',
  input: z.object({ nodes: z.array(node).max(2_000).optional(), from: instant, to: instant }),
  output: z.object({ datalist: z.array(irrigationWaterDay) }),
  errors: ['node.not-found', 'irrigation.no-span', 'irrigation.too-long'],
})

export const previewIrrigation = defineEndpoint({
  ...common,
  path: '/Irrigation/PreviewIrrigation',
  summary:
    'Calendar of a source by the scheduler that runs it, with conflicts and water; also with a program that is not stored yet.',
  access: watching,
  effect: 'reads',
  input: z.object({
    sourceId,
    /** Instead of the stored program with this id, or beside the stored ones. */
    draft: z.object({ programId: programId.optional(), plan: irrigationPlan }).optional(),
    from: instant,
    to: instant,
  }),
  output: z.object({
    runs: z.array(irrigationPlannedRun),
    /** Water by local day, in days since 1970-01-01. */
    days: z.array(z.object({ day: z.number().int(), volumeM3: z.number() })),
  }),
  errors: [
    'irrigation.not-found',
    'irrigation.too-long',
    'irrigation.no-span',
    'irrigation.too-many-parts',
    'irrigation.no-position',
  ],
})

export const setIrrigationSource = defineEndpoint({
  ...common,
  path: '/Irrigation/SetIrrigationSource',
  summary: 'Adds a source of water at a node, or changes its settings.',
  access: configuring,
  effect: 'changes',
  input: z.object({ id: sourceId.optional(), ...edited, node, settings: irrigationSourceSettings }),
  output: irrigationSource,
  errors: [
    'node.not-found',
    'irrigation.not-found',
    'irrigation.running',
    'irrigation.too-many',
    'irrigation.valve-used',
    'irrigation.heating-valve',
    'irrigation.heat-station',
    'irrigation.no-position',
    'device.not-found',
    'device.not-controllable',
    'device.retired',
    'irrigation.sensor-elsewhere',
    'irrigation.sensor-unsuited',
    'entity.stale',
  ],
})

export const setIrrigationGroup = defineEndpoint({
  ...common,
  path: '/Irrigation/SetIrrigationGroup',
  summary: 'Adds a group of valves to a source, or changes it.',
  access: configuring,
  effect: 'changes',
  input: z.object({ sourceId, id: groupId.optional(), ...edited, settings: irrigationGroupSettings }),
  output: irrigationSource,
  errors: [
    'irrigation.not-found',
    'irrigation.too-many',
    'irrigation.valve-used',
    'irrigation.heating-valve',
    'device.not-found',
    'device.not-controllable',
    'device.retired',
    'irrigation.sensor-elsewhere',
    'irrigation.sensor-unsuited',
    'entity.stale',
  ],
})

export const setIrrigationProgram = defineEndpoint({
  ...common,
  path: '/Irrigation/SetIrrigationProgram',
  summary: 'Adds a program to a source, or changes it. It runs in the name of the caller from then on.',
  access: configuring,
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({ sourceId, id: programId.optional(), ...edited, settings: irrigationProgramSettings }),
  output: irrigationSource,
  errors: [
    'irrigation.not-found',
    'irrigation.too-many',
    'irrigation.too-many-parts',
    'irrigation.no-position',
    'entity.stale',
  ],
})

const toRemoval = (
  name: string,
  summary: string,
  reference: typeof sourceId,
  more: readonly ErrorCode[] = [],
) =>
  defineEndpoint({
    ...common,
    path: `/Irrigation/${name}`,
    summary,
    access: configuring,
    effect: 'changes',
    input: z.object({ id: reference, version }),
    output: z.object({ id }),
    errors: ['irrigation.not-found', 'irrigation.running', ...more, 'entity.stale'],
  })

export const deleteIrrigationSource = toRemoval(
  'DeleteIrrigationSource',
  'Removes a source with its groups, programs and history, if no run is under way and its master valve is closed.',
  sourceId,
  ['irrigation.master-open'],
)
export const deleteIrrigationGroup = toRemoval(
  'DeleteIrrigationGroup',
  'Removes a group from its source and from the programs, if no run is under way.',
  groupId,
)
export const deleteIrrigationProgram = toRemoval(
  'DeleteIrrigationProgram',
  'Removes a program. Its run under way continues.',
  programId,
)

export const startIrrigationRun = defineEndpoint({
  ...common,
  path: '/Irrigation/StartIrrigationRun',
  summary: 'Waters a group once for a time, beside its programs; then the source returns to its plan.',
  access: running,
  effect: 'changes',
  input: z.object({ groupId, runS: z.number().int().min(10).max(43_200) }),
  output: irrigationSource,
  errors: ['irrigation.not-found', 'irrigation.nothing-to-run', 'irrigation.running', 'irrigation.halted'],
})

export const runIrrigationProgram = defineEndpoint({
  ...common,
  path: '/Irrigation/RunIrrigationProgram',
  summary:
    'Waters all groups of a program once now, as long as its seasonal adjustment says; then the source returns to its plan.',
  access: running,
  effect: 'changes',
  input: z.object({ programId }),
  output: irrigationSource,
  errors: ['irrigation.not-found', 'irrigation.nothing-to-run', 'irrigation.running', 'irrigation.halted'],
})

export const changeIrrigationRun = defineEndpoint({
  ...common,
  path: '/Irrigation/ChangeIrrigationRun',
  summary: 'Pauses, resumes or stops a run. Pause and stop close its valves.',
  access: running,
  effect: 'changes',
  input: z.object({
    runId: refersTo('irrigation-run', id),
    event: z.enum(['pause', 'resume', 'stop']),
  }),
  output: irrigationSource,
  errors: ['irrigation.not-found', 'irrigation.not-now', 'irrigation.halted'],
})

export const stopIrrigation = defineEndpoint({
  ...common,
  path: '/Irrigation/StopIrrigation',
  summary: 'Stops all runs of a source and closes every valve of its groups at once, as an emergency.',
  access: running,
  effect: 'changes',
  input: z.object({ sourceId }),
  output: irrigationSource,
  errors: ['irrigation.not-found'],
})

export const pauseIrrigation = defineEndpoint({
  ...common,
  path: '/Irrigation/PauseIrrigation',
  summary:
    'Rain delay or pause of a source: no program starts before an instant. Without an instant it ends.',
  access: running,
  effect: 'changes',
  input: z.object({ sourceId, until: instant.optional(), reason: z.string().max(200) }),
  output: irrigationSource,
  errors: ['irrigation.not-found', 'irrigation.past'],
})

export const releaseIrrigation = defineEndpoint({
  ...common,
  path: '/Irrigation/ReleaseIrrigation',
  summary:
    'Releases a leak or a halt of a source after a check on site: programs start again. Runs that were paused stay paused.',
  access: running,
  effect: 'changes',
  input: z.object({ sourceId, what: z.enum(['leak', 'halt']) }),
  output: irrigationSource,
  errors: ['irrigation.not-found', 'irrigation.not-now'],
})

export const irrigationEndpoints = {
  getIrrigation,
  getIrrigationUses,
  getIrrigationRuns,
  getIrrigationWater,
  previewIrrigation,
  setIrrigationSource,
  setIrrigationGroup,
  setIrrigationProgram,
  deleteIrrigationSource,
  deleteIrrigationGroup,
  deleteIrrigationProgram,
  startIrrigationRun,
  runIrrigationProgram,
  changeIrrigationRun,
  stopIrrigation,
  pauseIrrigation,
  releaseIrrigation,
} as const
