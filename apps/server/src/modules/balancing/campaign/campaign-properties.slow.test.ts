import { setTimeout as pause } from 'node:timers/promises'
import type { CampaignEvent } from '@isotherm/contract/balancing/campaign'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
import { twoWaves } from './campaign-plan.testkit.ts'
import { type CampaignsBench, startCampaignsBench } from './campaigns.testkit.ts'
import { putPlan } from './storage/campaign-changes.pg.ts'
import { campaignTransitions } from './storage/state-machine.ts'

let bench: CampaignsBench
beforeAll(async () => {
  bench = await startCampaignsBench()
})
afterAll(() => bench.close())

const RUNS = 6
const TIMEOUT_MS = 120_000

const actions = ['pause', 'resume', 'trim', 'rollback', 'head', 'slow', 'restart', 'jump'] as const
const action = fc.record({ what: fc.constantFrom(...actions), waitMs: fc.integer({ min: 0, max: 300 }) })

/** The moves of a trim. */
const trimMoves = [['close', { C1V1: 55, C1V3: 45 }]] as const

/** An action of a person may be too late or outdated: then it is refused and has no other effect. */
async function attempt(outcome: Promise<unknown>): Promise<void> {
  try {
    await outcome
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(['campaign.not-now', 'campaign.outdated', 'campaign.overtaken', 'entity.stale']).toContain(
      error.code,
    )
  }
}

async function trim(id: number): Promise<void> {
  const { version } = await bench.get(id)
  const move = { id, version, ...bench.who() }
  await putPlan(bench.db, 'trim', { move, plan: bench.toPlan(trimMoves) }, bench.toOperation('trimCampaign'))
}

/** The state to which the events of a history lead by the table. Throws if the table does not have one of them. */
function replayHistory(events: readonly string[]): string {
  let state: keyof typeof campaignTransitions = 'draft'
  for (const event of events.filter((name): name is CampaignEvent => name !== 'plan')) {
    const next: keyof typeof campaignTransitions | undefined = campaignTransitions[state][event]
    if (!next) throw new Error(`${event} in ${state}`)
    state = next
  }
  return state
}

test('K13: with two replicas and any events a campaign is in the state of its history, and can be rolled back', {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 12 }), async (chosen) => {
      await bench.clear()
      let replicas = [bench.start(), bench.start()]
      const id = await bench.add(bench.toPlan(twoWaves))
      await bench.move('approve', id)
      for (const { what, waitMs } of chosen) {
        await pause(waitMs)
        if (what === 'head') bench.readings.headKpa = bench.readings.headKpa === 50 ? 80 : 50
        else if (what === 'slow') bench.field.isSlow = !bench.field.isSlow
        else if (what === 'jump') bench.settings.aheadMs += 5_000
        else if (what === 'trim') await attempt(trim(id))
        else if (what === 'restart') {
          await Promise.all(replicas.map(bench.stop))
          replicas = [bench.start(), bench.start()]
        } else await attempt(bench.move(what, id))
      }
      bench.field.isSlow = false
      while (!(await bench.get(id)).state.startsWith('roll')) await attempt(bench.move('rollback', id))
      await bench.reach(id, 'rolled-back')
      await bench.settleCommands()
      const { history, steps, state } = await bench.get(id)
      expect(replayHistory(history.map(({ event }) => event))).toBe(state)
      expect(Object.fromEntries(bench.field.openings)).toEqual(
        Object.fromEntries(bench.serials.map((serial) => [serial, 50])),
      )
      const given = steps.flatMap(({ batchId }) => batchId ?? [])
      expect(new Set(given).size).toBe(given.length)
      for (const { kind, state: step } of steps) if (kind === 'back') expect(step).toBe('done')
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
