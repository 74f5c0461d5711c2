import type { PumpFreedom } from '@isotherm/balancing/loop/loop-flows'
import { positionFor } from '@isotherm/balancing/moves/backlash'
import type { MoveJudgement } from '@isotherm/balancing/moves/verify'
import { judgeStep } from '@isotherm/balancing/plan/judge-step'
import { type PlannedStep, planStep } from '@isotherm/balancing/plan/plan-step'
import { assumePump } from '@isotherm/balancing/records/assumed-pump'
import type { FlowKnowledge, LoopRecords, SeenLoop } from '@isotherm/balancing/records/loop-records'
import type { Targets } from '@isotherm/balancing/rooms/targets'
import { NO_MEMORY, type StepMemory } from '@isotherm/balancing/step/step-memory'
import { speedFor } from '@isotherm/hydraulics/elements/pump'
import { readSite } from './read-site.ts'
import { BELIEVED_BACKLASH, command, live, type Site, setSpeed } from './site.ts'

/** How a campaign knows flows, and what it makes equal. */
export interface CampaignManner {
  readonly flows: FlowKnowledge
  readonly target: 'return' | 'room'
  /** By unit, K beside the common return. */
  readonly offsetK: Float64Array
  /** Whether a first step sets the pump's head; else it runs on as it does, by a curve nobody knows. */
  readonly pump: 'commanded' | 'as-it-is'
}

/** What a controller keeps of a site from one step to the next. */
export interface Controller {
  readonly site: Site
  readonly records: LoopRecords
  readonly manner: CampaignManner
  memory: StepMemory
  readonly judged: MoveJudgement[]
}

export const createController = (site: Site, records: LoopRecords, manner: CampaignManner): Controller => ({
  site,
  records,
  manner,
  memory: NO_MEMORY,
  judged: [],
})

const WAVE_S = 300
const JUDGED_AFTER_S = 3600

function carryOut(site: Site, { waves }: PlannedStep): void {
  for (const step of waves.steps) {
    if (step.kind === 'pump') {
      const total = step.after.flowKgS.reduce((sum, flow) => sum + flow, 0)
      setSpeed(site, speedFor(site.spec.pump, step.headPa, total))
    } else {
      for (const { consumer, to } of step.moves)
        command(site, consumer, positionFor(to, site.believedStem[consumer] ?? 0, BELIEVED_BACKLASH))
    }
    live(site, WAVE_S)
  }
}

/** Judges the moves by the flows of an hour after; who did not follow stands where it stood. */
function verify(controller: Controller, { model, plan }: PlannedStep, isTrim: boolean): void {
  const { site, memory } = controller
  live(site, JUDGED_AFTER_S)
  const seen = readSite(site, JUDGED_AFTER_S)
  const judged = judgeStep({ model, memory, plan, seen, isTrim })
  controller.judged.push(...judged.verdicts)
  controller.memory = judged.memory
  const from = memory.snapshots.at(-1)?.openings ?? []
  for (const { consumer, verdict } of judged.verdicts)
    if (verdict === 'stuck') site.believedStem[consumer] = from[consumer] ?? 0
}

export interface StepOptions {
  readonly windowS: number
  /** Valves whose return is nearer to its target than this stay, K; 0 for no gate. */
  readonly gateK: number
}

function pumpFor({ pump }: CampaignManner, { headPa, totalKgS }: SeenLoop, gateK: number): PumpFreedom {
  if (pump === 'as-it-is') return assumePump(headPa, totalKgS)
  return gateK > 0 ? { kind: 'fixed-head', headPa } : { kind: 'free', mostHeadPa: 1.3 * headPa }
}

/** One step: read, plan, carry out, judge. A first one may set the pump's head, a gated one keeps it. */
export function stepCampaign(controller: Controller, { windowS, gateK }: StepOptions): Targets {
  const { site, records, manner, memory } = controller
  const { flows, target, offsetK } = manner
  const seen = readSite(site, windowS)
  const step = planStep({
    records,
    seen,
    flows,
    memory,
    gateK,
    pump: pumpFor(manner, seen, gateK),
    openings: site.believedStem.slice(),
    goal: { kind: 'temperature', target, offsetK },
    isFixed: new Uint8Array(site.units.length),
  })
  controller.memory = step.memory
  carryOut(site, step)
  if (flows === 'metered') verify(controller, step, gateK > 0)
  return step.targets
}
