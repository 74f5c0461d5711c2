import { z } from 'zod'
import { instant, trimmedName } from './entity.ts'
import { groundPosition } from './network/position.ts'
import { refersTo } from './refs.ts'
import { nodeKey } from './tree.ts'

const id = z.number().int().positive()
/** Longest run of a valve, s: 18 hours. */
const runS = z.number().int().min(10).max(64_800)

/** What remains of a run that nobody watched, because the server was down: all of it, what is not over yet, or nothing. */
export const outageRule = z.enum(['resume', 'skip', 'finish'])
export type OutageRule = z.infer<typeof outageRule>

/** Most valves of a group, and most soil probes of its own. */
export const MAX_VALVES = 100
export const MAX_PROBES = 20
/** Most sources of a company: the server looks at each every second. */
export const MAX_SOURCES = 500
/** Most groups of a source. */
export const MAX_GROUPS = 500
/** Most programs of a source. */
export const MAX_PROGRAMS = 100

/** Valid ranges of the numbers of a source, a group and a valve of a group, for calls and imports. */
export const irrigationRanges = {
  capacityM3H: { min: 0.1, max: 10_000 },
  dailyBudgetM3: { min: 0, max: 1_000_000 },
  leadS: { min: 0, max: 600 },
  lagS: { min: 0, max: 600 },
  leakM3H: { min: 0.01, max: 100 },
  leakS: { min: 10, max: 3_600 },
  dryRunS: { min: 10, max: 600 },
  minInletKpa: { min: -100, max: 1_000 },
  groupDelayS: { min: 0, max: 3_600 },
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  altitudeM: { min: -430, max: 5_000 },
  wetPct: { min: 0, max: 100 },
  flowM3H: { min: 0.01, max: 1_000 },
  maxS: { min: 30, max: 64_800 },
} as const

const within = (name: keyof typeof irrigationRanges) =>
  z.number().min(irrigationRanges[name].min).max(irrigationRanges[name].max)

/** Settings of a source of water: a pump house or a connection to a main. */
export const irrigationSourceSettings = z.object({
  name: trimmedName,
  /** Flow that may be taken at once, m³/h. */
  capacityM3H: within('capacityM3H'),
  /** Water per local day, m³; absent: no limit. */
  dailyBudgetM3: within('dailyBudgetM3').optional(),
  /** Pump and master valve start this long before the first group, s. */
  leadS: within('leadS').int(),
  /** Master valve stays open this long after the last valve is closed, s. */
  lagS: within('lagS').int().optional(),
  /** Master valve, if it is a device: it opens before the first group and closes after the last. */
  masterId: refersTo('device', id).optional(),
  /** Controller of the pump house, which measures the flow and the pressure of the source. */
  stationId: refersTo('device', id).optional(),
  /** Sensors of their own. The flow meter counts instead of that of the controller. */
  meterId: refersTo('device', id).optional(),
  /** Pressure before the pump, and after it; each counts instead of that of the controller. */
  inletId: refersTo('device', id).optional(),
  outletId: refersTo('device', id).optional(),
  /** Its rain counts instead of that of the weather stations. */
  rainId: refersTo('device', id).optional(),
  /** Floor of the meter at the source, m³/h: less flow is noise. */
  leakM3H: within('leakM3H').optional(),
  /** A leak is reported when it has flowed so long although nothing is open, s. */
  leakS: within('leakS').int().optional(),
  /** Whether programs wait while a leak is not released. */
  leakBlocks: z.boolean().optional(),
  /** Longest time of a pump without water, s. */
  dryRunS: within('dryRunS').int().optional(),
  /** Least pressure before the pump, kPa above the atmosphere; absent: not watched. */
  minInletKpa: within('minInletKpa').optional(),
  /** Pause between two groups, s. */
  groupDelayS: within('groupDelayS').int(),
  /** Position for sunrise and sunset, degrees; absent: that of its node on the map, or of the closest node above that has one. */
  latitude: within('latitude').optional(),
  longitude: within('longitude').optional(),
  /** Altitude above the sea, m, for the evapotranspiration; absent: 0. */
  altitudeM: within('altitudeM').optional(),
  afterOutage: outageRule,
})
export type IrrigationSourceSettings = z.infer<typeof irrigationSourceSettings>

/** A valve of a group, with the flow of its sprinklers, m³/h, and its longest time at a stretch, s. */
export const irrigationValve = z.object({
  deviceId: refersTo('device', id),
  flowM3H: within('flowM3H'),
  maxS: within('maxS').int(),
})

/** How the valves of a group open: one after the other, or together. */
export const groupMode = z.enum(['sequential', 'parallel'])
export type GroupMode = z.infer<typeof groupMode>

export const irrigationGroupSettings = z.object({
  name: trimmedName,
  mode: groupMode,
  valves: z.array(irrigationValve).min(1).max(MAX_VALVES),
  /** Soil moisture from which on the group gets no water, % of volume. */
  wetPct: within('wetPct').optional(),
  /** Soil probes of their own: they count instead of those of the valves. */
  probeIds: z.array(refersTo('device', id)).max(MAX_PROBES).optional(),
})
export type IrrigationGroupSettings = z.infer<typeof irrigationGroupSettings>

/** Start by local time, or by the sun; `offsetMin` is negative before it. */
export const irrigationStart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('time'), minute: z.number().int().min(0).max(1_439) }),
  z.object({ kind: z.enum(['sunrise', 'sunset']), offsetMin: z.number().int().min(-720).max(720) }),
])

/** Days of a program; 0 is Monday. `from` is a local day, in days since 1970-01-01. */
export const irrigationDays = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('weekdays'), days: z.array(z.number().int().min(0).max(6)).min(1).max(7) }),
  z.object({
    kind: z.literal('every'),
    n: z.number().int().min(1).max(60),
    from: z.number().int().min(0).max(50_000),
  }),
  z.object({ kind: z.enum(['odd', 'even']) }),
])

export const irrigationPlan = z.object({
  days: irrigationDays,
  starts: z.array(irrigationStart).min(1).max(20),
  entries: z
    .array(z.object({ groupId: refersTo('irrigation-group', id), runS }))
    .min(1)
    .max(100),
  cycle: z
    .object({ maxS: z.number().int().min(30).max(64_800), soakS: z.number().int().min(0).max(86_400) })
    .optional(),
  seasonalPct: z.number().int().min(10).max(200),
  /** Reference evapotranspiration for which the run times are right, mm/day; absent: no adjustment by weather. */
  designEtMm: z.number().min(0.5).max(20).optional(),
  together: z.boolean(),
})
export type IrrigationPlan = z.infer<typeof irrigationPlan>

export const irrigationProgramSettings = z.object({
  name: trimmedName,
  enabled: z.boolean(),
  plan: irrigationPlan,
})

/** Why a run, or a part of it, is not as the program says. */
export const irrigationConflict = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['paused', 'rain', 'late', 'parts', 'leak', 'halted']) }),
  z.object({ kind: z.literal('moist'), groupId: id }),
  z.object({ kind: z.literal('queued'), delayS: z.number() }),
  z.object({ kind: z.literal('budget'), groupId: id, missingM3: z.number() }),
  z.object({ kind: z.literal('capacity'), valveId: id }),
])
export type IrrigationConflict = z.infer<typeof irrigationConflict>

/** A step of the calendar preview. */
export const irrigationPlannedStep = z.object({
  groupId: id,
  valveIds: z.array(id),
  flowM3H: z.number(),
  startMs: instant,
  durationS: z.number(),
})

export const irrigationPlannedRun = z.object({
  programId: id,
  dueMs: instant,
  startMs: instant,
  endMs: instant,
  adjustPct: z.number(),
  steps: z.array(irrigationPlannedStep),
  conflicts: z.array(irrigationConflict),
  volumeM3: z.number(),
})
export type IrrigationPlannedRun = z.infer<typeof irrigationPlannedRun>

/** States: docs/specs/irrigation-run.md. */
export const irrigationRunState = z.enum(['running', 'paused', 'stopping', 'done', 'stopped', 'failed'])
export const irrigationStepState = z.enum([
  'pending',
  'opening',
  'open',
  'closing',
  'closed',
  'skipped',
  'stuck',
])
/**
 * What was noticed in a step. `no-flow`, `low-flow`, `high-flow`: against the expectation. `line-break`: more water left the pump
 * than reached the valves. `not-open`: no valve could be opened. `part-open`: one of them could not.
 * `refused`: holds, limits or the rights of the account. `asleep`: its valves listen only after their own reports, so a command might
 * open them late. `part-refused`:
 * one of its valves was, and no person holds it closed. `budget`: the water of the day. `stopped`: before its turn.
 * `expired`: its run was paused for too long.
 */
export const irrigationFinding = z.enum([
  'no-flow',
  'low-flow',
  'high-flow',
  'line-break',
  'not-open',
  'part-open',
  'refused',
  'asleep',
  'part-refused',
  'budget',
  'stopped',
  'outage',
  'expired',
  'stuck',
])

/** A group that a run should have watered and did not, in whole or in part, until a later run waters it or a day is over. */
export const irrigationMissed = z.object({
  groupId: id,
  /** `late`: no server ran for more than an hour after its start. The others: as in a step. */
  reason: z.enum(['late', 'refused', 'asleep', 'part-refused', 'outage', 'expired']),
  atMs: instant,
})
export type IrrigationMissed = z.infer<typeof irrigationMissed>

/** Why a protection stopped a source: its pump ran without water, or its master valve did not open. */
export const irrigationHalt = z.enum(['dry-run', 'master'])

/** States of a master valve: docs/specs/irrigation-run.md. */
export const irrigationMasterState = z.enum(['closed', 'opening', 'open', 'closing', 'stuck'])

export const irrigationStep = z.object({
  id,
  groupId: id,
  valveIds: z.array(id),
  /** Stated flow of its valves, m³/h. */
  flowM3H: z.number(),
  /** Flow learned from earlier waterings, or the stated one, with its limits, m³/h; absent before it opens. */
  expected: z
    .object({
      flowM3H: z.number(),
      lowM3H: z.number(),
      highM3H: z.number(),
      learnedFrom: z.number().int(),
    })
    .optional(),
  plannedMs: instant,
  plannedS: z.number(),
  state: irrigationStepState,
  openedMs: instant.optional(),
  closeDueMs: instant.optional(),
  closedMs: instant.optional(),
  volumeM3: z.number(),
  /** Measured flow of its valves now, m³/h; only while they are open. */
  nowM3H: z.number().optional(),
  /** Part of the volume that meters counted; the rest is the stated flow times the time. */
  measuredM3: z.number(),
  finding: irrigationFinding.optional(),
})
export type IrrigationStep = z.infer<typeof irrigationStep>

export const irrigationRun = z.object({
  id,
  sourceId: id,
  sourceName: z.string(),
  /** Absent for a single timed run. */
  programId: id.optional(),
  /** No run of this system: what the valves reported that no run had opened, by a timer on site or by hand. It has no name. */
  isObserved: z.boolean(),
  name: z.string(),
  state: irrigationRunState,
  /** The protection that paused it. */
  pausedFor: irrigationHalt.optional(),
  dueMs: instant,
  beganMs: instant,
  endedMs: instant.optional(),
  adjustPct: z.number(),
  conflicts: z.array(irrigationConflict),
  plannedM3: z.number(),
  volumeM3: z.number(),
  /** Part of the volume that meters counted. */
  measuredM3: z.number(),
  /**
   * It has not begun to water: the planned start of its first step, and the runs under way that it waits for, by their names. The start
   * moves if they take longer.
   */
  waiting: z.object({ startMs: instant, after: z.array(z.string()) }).optional(),
  /** Account of the program or of the single run. */
  actor: z.string(),
  steps: z.array(irrigationStep),
})
export type IrrigationRun = z.infer<typeof irrigationRun>

export const irrigationGroup = irrigationGroupSettings.extend({
  id,
  name: z.string(),
  version: z.number().int().positive(),
  valves: z.array(
    irrigationValve.extend({
      deviceName: z.string(),
      /** Newest opening, %. */
      openingPct: z.number().optional(),
      /** Position of its node on the map, or of the closest node above that has one. */
      position: groundPosition.optional(),
    }),
  ),
  /** Its own soil probes. */
  probes: z.array(z.object({ deviceId: id, deviceName: z.string() })),
  /** Newest soil moisture of its probes that report, %. */
  moisturePct: z.number().optional(),
  /** Probes, or valves with one, that have not reported for hours: their last value does not count. */
  silentProbes: z.array(id),
})
export type IrrigationGroup = z.infer<typeof irrigationGroup>

export const irrigationProgram = irrigationProgramSettings.extend({
  id,
  name: z.string(),
  version: z.number().int().positive(),
  /** Account that set it last, in whose name it runs. */
  actor: z.string(),
})
export type IrrigationProgram = z.infer<typeof irrigationProgram>

/** A device that a source can have. */
const candidate = z.object({ deviceId: id, deviceName: z.string(), nestaddr: z.string() })

/** The sensors of their own that a source can have, by their settings. */
export const sensorSettings = ['meterId', 'inletId', 'outletId', 'rainId'] as const
export type SensorSetting = (typeof sensorSettings)[number]

/** What a sensor of its own can be: a part of a source, or a soil probe of a group. */
export const sensorPart = z.enum(['meter', 'inlet', 'outlet', 'rain', 'probe'])
export type SensorPart = z.infer<typeof sensorPart>

/** The part that each setting of a source names. */
export const partOfSetting = {
  meterId: 'meter',
  inletId: 'inlet',
  outletId: 'outlet',
  rainId: 'rain',
} as const satisfies Record<SensorSetting, SensorPart>

/** What a device does for irrigation: it is part of a source, or of a group of one. */
export const irrigationUse = z.object({
  part: z.enum(['valve', 'master', 'station', ...sensorPart.options]),
  sourceName: z.string(),
  /** Absent for a part of the source itself. */
  groupName: z.string().optional(),
  nestaddr: z.string(),
})
export type IrrigationUse = z.infer<typeof irrigationUse>

/** Water of a field on a local day, by all sources at its node together, with the part that meters counted, m³. */
export const irrigationWaterDay = z.object({
  node: nodeKey,
  nestaddr: z.string(),
  day: z.iso.date(),
  volumeM3: z.number(),
  measuredM3: z.number(),
})
export type IrrigationWaterDay = z.infer<typeof irrigationWaterDay>

/** What the caller can do with a source, decided on the server. */
export const irrigationAbility = z.enum(['configure', 'run'])

export const irrigationSource = irrigationSourceSettings.extend({
  id,
  name: z.string(),
  version: z.number().int().positive(),
  node: nodeKey,
  nestaddr: z.string(),
  /** Zone of the local times: that of the company. */
  timeZone: z.string(),
  /** Rain delay or pause: no run starts before. */
  pausedUntil: instant.optional(),
  pauseReason: z.string().optional(),
  groups: z.array(irrigationGroup),
  programs: z.array(irrigationProgram),
  /** Valves below the node that the caller may give to groups: without the control of valves, none of heating. */
  candidates: z.array(candidate),
  /** Controllers of pump houses at the node or below, which the source can have. */
  stations: z.array(candidate),
  /** Sensors at the node or below, which the source and its groups can have. */
  sensors: z.array(
    candidate.extend({
      /** What it can be by the profile of its model and by what it reports; absent: its model has no profile, so anything. */
      parts: z.array(sensorPart).optional(),
    }),
  ),
  /** Newest values of its sensors and its controller. */
  flowM3H: z.number().optional(),
  /** After the pump, and before it. */
  pressureKpa: z.number().optional(),
  inletKpa: z.number().optional(),
  /** Its own sensors with their names. `isSilent`: what it is there for has not been reported for an hour, rain for a day. */
  ownSensors: z.array(
    z.object({
      setting: z.enum(sensorSettings),
      deviceId: id,
      deviceName: z.string(),
      isSilent: z.boolean(),
    }),
  ),
  pumpPct: z.number().optional(),
  /** Master valve: its state, and its newest opening, %. */
  master: z
    .object({
      deviceName: z.string(),
      state: irrigationMasterState,
      openingPct: z.number().optional(),
    })
    .optional(),
  /** Water flowed although nothing was open, until somebody releases it. */
  leak: z.object({ sinceMs: instant, flowM3H: z.number() }).optional(),
  /** A protection stopped the source, until somebody releases it: nothing opens. */
  halt: z.object({ sinceMs: instant, reason: irrigationHalt }).optional(),
  /** Runs under way. */
  runs: z.array(irrigationRun),
  /** Coming runs of two days. */
  next: z.array(irrigationPlannedRun),
  usedTodayM3: z.number(),
  missed: z.array(irrigationMissed),
  /** Valves that are open although no run opened them, with their stated flow, m³/h: it counts against the capacity. */
  openByHand: z.array(z.object({ valveId: id, flowM3H: z.number() })),
  /**
   * Sum of reference evapotranspiration and rain of the last days, mm, if their temperatures are known. `penmanDays`: days computed by
   * FAO-56 Penman–Monteith, because humidity, wind or radiation is known too; the others by Hargreaves.
   */
  demand: z
    .object({ etMm: z.number(), rainMm: z.number(), days: z.number(), penmanDays: z.number() })
    .optional(),
  abilities: z.array(irrigationAbility),
})
export type IrrigationSource = z.infer<typeof irrigationSource>
