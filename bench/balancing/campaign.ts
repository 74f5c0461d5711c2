import type { PumpFreedom } from '@isotherm/balancing/loop/loop-flows'
import { positionFor } from '@isotherm/balancing/moves/backlash'
import type { MoveJudgement } from '@isotherm/balancing/moves/verify'
import { judgeStep } from '@isotherm/balancing/plan/judge-step'
import { type PlannedStep, planStep } from '@isotherm/balancing/plan/plan-step'
import { assumePump } from '@isotherm/balancing/records/assumed-pump'
import type { FlowKnowledge, LoopReadings, LoopRecords } from '@isotherm/balancing/records/loop-records'
import type { Targets } from '@isotherm/balancing/rooms/targets'
import { NO_MEMORY, type StepMemory } from '@isotherm/balancing/step/step-memory'
import { speedFor } from '@isotherm/hydraulics/elements/pump'
import { readSite } from './read-site.ts'
import { ASSUMED_BACKLASH, advance, command, type Site, setSpeed } from './site.ts'

/** How a campaign knows the flows, and what it equalises. */
export interface CampaignSettings {
  readonly flows: FlowKnowledge
  readonly target: 'return' | 'room'
  /** Target of each unit relative to the common return temperature, K. */
  readonly offsetK: Float64Array
  /** `commanded`: the first step sets the pump's head. `as-it-is`: the pump does not change and its curve is unknown. */
  readonly pump: 'commanded' | 'as-it-is'
}

/** State of a controller between steps. */
export interface Controller {
  readonly site: Site
  readonly records: LoopRecords
  readonly settings: CampaignSettings
  memory: StepMemory
  readonly judged: MoveJudgement[]
}

export const createController = (
  site: Site,
  records: LoopRecords,
  settings: CampaignSettings,
): Controller => ({
  site,
  records,
  settings,
  memory: NO_MEMORY,
  judged: [],
})

const WAVE_S = 300
const JUDGED_AFTER_S = 3600

function execute(site: Site, { waves }: PlannedStep): void {
  for (const step of waves.steps) {
    if (step.kind === 'pump') {
      const total = step.after.flowKgS.reduce((sum, flow) => sum + flow, 0)
      setSpeed(site, speedFor(site.spec.pump, step.headPa, total))
    } else {
      for (const { consumer, to } of step.moves)
        command(site, consumer, positionFor(to, site.estimatedStem[consumer] ?? 0, ASSUMED_BACKLASH))
    }
    advance(site, WAVE_S)
  }
}

/** Judges each move by the flows one hour later. A stuck valve is assumed to be at its old opening. */
function verify(controller: Controller, { model, plan }: PlannedStep, isTrim: boolean): void {
  const { site, memory } = controller
  advance(site, JUDGED_AFTER_S)
  const readings = readSite(site, JUDGED_AFTER_S)
  const judged = judgeStep({ model, memory, plan, readings, isTrim })
  controller.judged.push(...judged.verdicts)
  controller.memory = judged.memory
  const from = memory.snapshots.at(-1)?.openings ?? []
  for (const { consumer, verdict } of judged.verdicts)
    if (verdict === 'stuck') site.estimatedStem[consumer] = from[consumer] ?? 0
}

export interface StepOptions {
  readonly windowS: number
  /** A valve does not move if its return temperature is this close to the target, K; 0: every valve may move. */
  readonly gateK: number
}

function pumpFor({ pump }: CampaignSettings, { headPa, totalKgS }: LoopReadings, gateK: number): PumpFreedom {
  if (pump === 'as-it-is') return assumePump(headPa, totalKgS)
  return gateK > 0 ? { kind: 'fixed-head', headPa } : { kind: 'free', maxHeadPa: 1.3 * headPa }
}

/** One step: read, plan, execute, judge. A step without a gate may set the pump's head, a step with a gate does not. */
export function stepCampaign(controller: Controller, { windowS, gateK }: StepOptions): Targets {
  const { site, records, settings, memory } = controller
  const { flows, target, offsetK } = settings
  const readings = readSite(site, windowS)
  const step = planStep({
    records,
    readings,
    flows,
    memory,
    gateK,
    pump: pumpFor(settings, readings, gateK),
    openings: site.estimatedStem.slice(),
    goal: { kind: 'temperature', target, offsetK },
    isFixed: new Uint8Array(site.units.length),
  })
  controller.memory = step.memory
  execute(site, step)
  if (flows === 'metered') verify(controller, step, gateK > 0)
  return step.targets
}
