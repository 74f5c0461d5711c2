import { setTimeout as pause } from 'node:timers/promises'
import type { CampaignState } from '@isotherm/contract/balancing'
import { finalCommandStates } from '@isotherm/contract/command'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createFixtures } from '../../core.testkit.ts'
import { createCoreDatabase } from '../../core-database.testkit.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/database.pg.ts'
import { createLog } from '../../platform/log.ts'
import { toSystemOperation } from '../../platform/operation/operation.ts'
import { scopeOfEverything } from '../../platform/scope.ts'
import { kill, launchServer, type ServerProcess } from '../../server-process.testkit.ts'
import { createWideRegistry, toReply } from '../commands/commands.testkit.ts'
import { createFastClock } from '../commands/fast-clock.testkit.ts'
import { commandsMigrations } from '../commands/index.ts'
import { importRegistry } from '../devices/index.ts'
import { afterTwoWaves, createTestPlan, twoWaves } from './campaign-plan.testkit.ts'
import { balancingMigrations } from './migrations.pg.ts'
import { createCampaignStore } from './store.pg.ts'

/** So much faster than the machine's run the clocks of the servers. */
const FACTOR = 3
const FIRST_PCT = 50
const TIMEOUT_MS = 180_000
const serials = ['C1V1', 'C1V2', 'C2V1', 'C2V2']

const published = z.object({ topic: z.string(), payload: z.string() })
const message = z.object({
  id: z.string(),
  dev: z.string(),
  rev: z.number(),
  args: z.object({ opening: z.number() }),
})

/** A company with four valves that outlive any server, and the servers. */
async function startBench() {
  const later = [commandsMigrations, balancingMigrations]
  const database = await createCoreDatabase(later, 'campaigns')
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  await importRegistry(db, createWideRegistry(2, 2))
  const settings = { agreedAt: systemClock.now(), factor: FACTOR, aheadMs: 0 }
  const clock = createFastClock(settings)
  const fixtures = createFixtures({ db })
  const ids = new Map<string, number>()
  for (const serial of serials) ids.set(serial, await fixtures.deviceId(serial))
  const openings = new Map(serials.map((serial) => [serial, FIRST_PCT]))
  const revs = new Map<string, number>()
  const told = new Set<string>()
  let server: ServerProcess | undefined

  /** A valve knows what it did by the revision, and answers what it is asked twice in the same words. */
  function answer({ topic, payload }: z.infer<typeof published>): void {
    const { id, dev, rev, args } = message.parse(JSON.parse(payload))
    told.add(id)
    const isOlder = rev < (revs.get(dev) ?? 0)
    if (!isOlder) {
      revs.set(dev, rev)
      openings.set(dev, args.opening)
    }
    const ts = clock.now()
    const reply = toReply(id, dev, isOlder ? 'accepted' : 'done', isOlder ? 1 : 0, ts).toString()
    const reading = { deviceId: ids.get(dev) ?? 0, ts: ts + 1, openingPct: openings.get(dev) ?? 0 }
    const node = topic.split('/')[3] ?? ''
    if (server?.child.connected) server.child.send({ node, reply, reading })
  }

  onTestFinished(async () => {
    if (server) await kill(server.child)
    await db.destroy()
    await database.drop()
  })
  return {
    ...{ db, clock, fixtures, ids, openings, told, store: createCampaignStore(db) },
    async launch(): Promise<void> {
      server = await launchServer(
        { DATABASE_URL: database.url, CLICKHOUSE_URL: 'http://127.0.0.1:1/none' },
        new URL('./campaign-server.testkit.ts', import.meta.url),
        [JSON.stringify(settings)],
      )
      server.child.on('message', (sent) => answer(published.parse(sent)))
    },
    async kill(): Promise<void> {
      if (server) await kill(server.child)
    },
  }
}

type Bench = Awaited<ReturnType<typeof startBench>>

async function addCampaign({
  db,
  store,
  fixtures,
  clock,
  ids,
}: Bench): Promise<{ id: number; who: () => Who }> {
  const permissions = ['pe-fmcontrol', 'pe-egmonitor'] as const
  const accountId = await fixtures.createAccount('balancer', permissions, ['n5'])
  const who = () => ({ accountId, account: 'balancer', at: clock.now() })
  const { id: companyId } = await db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  const node = await fixtures.nodeKey('n5')
  const place = {
    ...{ companyId, node, nodeName: '小区', nodePath: await fixtures.pathOf('n5') },
    ...{ stationNodeId: await fixtures.nodeId('n4'), stationName: '换热站' },
    stationPath: await fixtures.pathOf('n4'),
  }
  const valves = serials.map((serial) => ({ serial, deviceId: ids.get(serial) ?? 0, openingPct: FIRST_PCT }))
  const plan = createTestPlan(valves, twoWaves, { node, plannedAt: clock.now() })
  const mode = { kind: 'temperature', target: 'return' } as const
  return { id: await store.add(place, mode, plan, who(), toSystemOperation('addCampaign', clock.now())), who }
}

interface Who {
  readonly accountId: number
  readonly account: string
  readonly at: number
}

/** Each order to each valve, by its opening; of one batch and opening there is one. */
const listOrders = ({ db }: Bench) =>
  db
    .selectFrom('command')
    .innerJoin('device', 'device.id', 'command.device_id')
    .orderBy('command.rev')
    .select(['serial', 'opening_pct as openingPct', 'command.state'])
    .execute()

test('K11: a campaign whose servers are killed comes to its end, and every valve to where it was', {
  timeout: TIMEOUT_MS,
}, async () => {
  const bench = await startBench()
  const { store, told, openings } = bench
  await bench.launch()
  const { id, who } = await addCampaign(bench)
  const get = async () => {
    const found = await store.find(scopeOfEverything, id)
    if (!found) throw new Error('it is gone')
    return found
  }
  const move = async (event: 'approve' | 'rollback') =>
    store.move(
      event,
      { id, version: (await get()).version, ...who() },
      toSystemOperation(event, bench.clock.now()),
    )
  const until = async (isReached: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isReached())) await pause(5)
  }
  const isIn = (state: CampaignState) => async () => (await get()).state === state
  /** Kills the server as soon as something is so, and starts another. */
  const dieOnce = async (isReached: () => boolean | Promise<boolean>): Promise<void> => {
    await until(isReached)
    await bench.kill()
    await bench.launch()
  }

  await move('approve')
  await dieOnce(() => told.size >= 1)
  await dieOnce(() => told.size >= 3)
  await dieOnce(isIn('settling'))
  await until(isIn('verified'))
  expect(Object.fromEntries(openings)).toEqual(afterTwoWaves)

  await move('rollback')
  await dieOnce(async () =>
    (await get()).steps.some(({ kind, state }) => kind === 'back' && state === 'given'),
  )
  await dieOnce(() => told.size >= 7)
  await until(isIn('rolled-back'))
  expect([...openings]).toEqual(serials.map((serial) => [serial, FIRST_PCT]))

  const orders = await listOrders(bench)
  for (const [serial, openingPct] of Object.entries(afterTwoWaves)) {
    const ofValve = orders.filter((order) => order.serial === serial)
    expect(ofValve.map((order) => order.openingPct)).toEqual([openingPct, FIRST_PCT])
    for (const { state } of ofValve) expect(finalCommandStates).toContain(state)
  }
  expect((await get()).steps.map(({ unanswered }) => unanswered)).toEqual([0, 0, 0, 0])
})
