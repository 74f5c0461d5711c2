import type { CampaignState } from '@isotherm/contract/balancing/campaign'
import { finalCommandStates } from '@isotherm/contract/command'
import { expect, test } from 'vitest'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { RoundPlan } from '../plan/planner.ts'
import { afterTwoWaves, createTestPlan, twoWaves, withHead } from './campaign-plan.testkit.ts'
import { FIRST_KPA, FIRST_PCT, STATION, serials, startKilledBench, until } from './killed.testkit.ts'
import { moveCampaign, storeCampaignDraft } from './storage/campaign-changes.pg.ts'
import { findCampaignDetail } from './storage/campaign-queries.pg.ts'

const TIMEOUT_MS = 400_000
/** Longer than any wait for a campaign, a queue or an answer. */
const LEASE_MS = 31_000
const program = new URL('./campaign-server.testkit.ts', import.meta.url)

/** A draft of two waves or of given ones, and servers that are killed while it runs. */
async function startBench(toPlan: (plan: RoundPlan, toId: (serial: string) => number) => RoundPlan) {
  const bench = await startKilledBench(program)
  const { place, clock, who, db, listValves, toId } = bench
  const plan = createTestPlan(listValves(), twoWaves, { node: place.node, plannedAt: clock.now() })
  const mode = { kind: 'temperature', target: 'return' } as const
  const operation = toSystemOperation('addCampaign', clock.now())
  const id = await storeCampaignDraft(db, { place, mode, plan: toPlan(plan, toId), who: who() }, operation)
  async function get() {
    const found = await findCampaignDetail(db, scopeOfEverything, id)
    if (!found) throw new Error('it is gone')
    return found
  }
  return {
    ...bench,
    get,
    move: async (event: 'approve' | 'rollback') =>
      moveCampaign(
        db,
        event,
        { id, version: (await get()).version, ...who() },
        toSystemOperation(event, clock.now()),
      ),
    isIn: (state: CampaignState) => async () => {
      const found = await db.selectFrom('campaign').select('state').where('id', '=', id).executeTakeFirst()
      return found?.state === state
    },
    /** Whether the campaign was executed. The states after it may pass between two polls. */
    isExecuted: async () => {
      const found = await db.selectFrom('campaign').select('state').where('id', '=', id).executeTakeFirst()
      return found?.state !== 'executing'
    },
    /** Whether a step of the rollback was sent, and maybe answered since. */
    isGivenBack: async () => {
      const sent = db.selectFrom('campaign_step').where('kind', '=', 'back').where('state', '!=', 'waiting')
      return (await sent.select('step').where('campaign_id', '=', id).execute()).length > 0
    },
    /** Kills the server once a condition holds, and starts another. */
    async dieOnce(isReached: () => boolean | Promise<boolean>): Promise<void> {
      await until(isReached)
      await bench.kill()
      await bench.launch()
    },
  }
}

test('K11: a campaign whose servers are killed comes to its end, and every valve to its earlier opening', {
  timeout: TIMEOUT_MS,
}, async () => {
  const bench = await startBench((plan) => plan)
  const { sent, openings, get, move, isIn, isExecuted, isGivenBack, dieOnce } = bench
  await bench.launch()

  await move('approve')
  await dieOnce(() => sent.size >= 1)
  // A command that is lost with its server may never be received; then the next state is waited for.
  await dieOnce(async () => sent.size >= 3 || (await isExecuted()))
  await dieOnce(isExecuted)
  await until(isIn('verified'))
  expect(Object.fromEntries(openings)).toEqual(afterTwoWaves)

  await move('rollback')
  await dieOnce(isGivenBack)
  await dieOnce(async () => sent.size >= 7 || (await isIn('rolled-back')()))
  await until(isIn('rolled-back'))
  expect([...openings]).toEqual(serials.map((serial) => [serial, FIRST_PCT]))

  const orders = await bench.listOrders()
  for (const [serial, openingPct] of Object.entries(afterTwoWaves)) {
    const ofValve = orders.filter((order) => order.serial === serial)
    expect(ofValve.map((order) => order.openingPct)).toEqual([openingPct, FIRST_PCT])
    for (const { state } of ofValve) expect(finalCommandStates).toContain(state)
  }
  expect((await get()).steps.map(({ unanswered }) => unanswered)).toEqual([0, 0, 0, 0])
})

test('K11: a pump gets one command if servers are killed before it is sent, before its reply and before its result is stored', {
  timeout: TIMEOUT_MS,
}, async () => {
  const bench = await startBench((plan, toId) =>
    withHead(plan, 'first', { deviceId: toId(STATION), fromKpa: FIRST_KPA, toKpa: 40 }),
  )
  const { sent, field, openings, settings, get, move, isIn, launch, kill, killStoring } = bench
  const listHeads = async () => (await bench.listOrders()).filter(({ serial }) => serial === STATION)
  const pumpStep = async () => (await get()).steps.find(({ pump }) => pump)
  const next = (): void => {
    settings.aheadMs += LEASE_MS
  }

  await move('approve')
  await killStoring('campaign_step', launch)
  expect(await listHeads()).toEqual([])
  expect(await pumpStep()).toMatchObject({ state: 'waiting' })

  next()
  field.isMute = true
  await launch()
  await until(() => sent.size > 0)
  await kill()
  field.isMute = false
  expect(field.heads).toEqual([FIRST_KPA, 40])
  expect(await pumpStep()).toMatchObject({ state: 'given' })

  next()
  await killStoring('campaign_step', launch)
  expect(await listHeads()).toMatchObject([{ headKpa: 40, state: 'confirmed' }])
  expect(await pumpStep()).toMatchObject({ state: 'given' })

  next()
  await launch()
  await until(isIn('verified'))
  expect(field.heads).toEqual([FIRST_KPA, 40])
  expect(Object.fromEntries(openings)).toEqual(afterTwoWaves)
  expect(await pumpStep()).toMatchObject({ state: 'done', unanswered: 0 })

  await move('rollback')
  await until(() => field.heads.length > 2)
  await kill()
  next()
  await launch()
  await until(isIn('rolled-back'))
  expect(field.heads).toEqual([FIRST_KPA, 40, FIRST_KPA])
  expect([...openings]).toEqual(serials.map((serial) => [serial, FIRST_PCT]))
  expect(await listHeads()).toMatchObject([
    { headKpa: 40, state: 'confirmed' },
    { headKpa: FIRST_KPA, state: 'confirmed' },
  ])
})
