import { setTimeout as pause } from 'node:timers/promises'
import type { Permission } from '@isotherm/contract/access/permissions'
import type { CampaignState } from '@isotherm/contract/balancing/campaign'
import { replyCodes } from '@isotherm/contract/mqtt'
import { createCore } from '../../../core.ts'
import { reader } from '../../../platform/caller-of-account.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import { createDatabase } from '../../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createFixtures, createTestConfig } from '../../../testing/core.testkit.ts'
import { createCoreDatabase } from '../../../testing/core-database.testkit.ts'
import { createWideRegistry, toReply } from '../../commands/commands.testkit.ts'
import { createFastClock } from '../../commands/fast-clock.testkit.ts'
import { type Commands, createCommands } from '../../commands/index.ts'
import { commandsMigrations } from '../../commands/migrations.pg.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { irrigationModule } from '../../irrigation/index.ts'
import { balancingMigrations } from '../migrations.pg.ts'
import type { RoundPlan } from '../plan/planner.ts'
import {
  createTestPlan,
  createTestPlanner,
  createTestReadings,
  type TestWave,
} from './campaign-plan.testkit.ts'
import { type CampaignRunner, type RunnerNeeds, startCampaignRunner } from './run/runner.ts'
import { moveCampaign, storeCampaignDraft } from './storage/campaign-changes.pg.ts'
import { findCampaignDetail } from './storage/campaign-queries.pg.ts'
import type { PersonalEvent } from './storage/campaign-types.ts'

const FACTOR = 20
const allowed: readonly Permission[] = [
  'pe-fmreal',
  'pe-fmcontrol',
  'pe-egmonitor',
  'pe-sxmonitor',
  'pe-enmonitor',
]

/** Initial opening of valves C1V1 to C1V4 and C2V1 to C2V4, %. */
const FIRST_PCT = 50

/** Another valve of the loop: it never reports, so it gets no command. */
const SLEEPER = 'S1'

/** The station's controller, and its initial head, kPa. */
const STATION = 'ST'
const FIRST_KPA = 50

/** Behaviour of the test valves. */
export interface TestField {
  readonly openings: Map<string, number>
  /** Every command that a valve got, once, in order. */
  readonly orders: { readonly serial: string; readonly openingPct: number; readonly id: string }[]
  /** Heads sent to the station, in order, and the present one, kPa. */
  readonly heads: number[]
  headKpa: number
  /** Offsets sent to the station, in order, and the present one, K. */
  readonly offsets: number[]
  offsetK: number
  /** Devices that reply with a failure. */
  readonly broken: Set<string>
  /** Valves that reply as if they had moved, and then report the opening at which they are stuck. */
  readonly blocked: Set<string>
  /** Whether valves wait before they reply. */
  isSlow: boolean
  /** Whether no message reaches the gateways. */
  isAway: boolean
}

/**
 * Campaigns on a real database with real commands, valves that reply at once, and a planner with given moves and
 * readings.
 */
export async function startCampaignsBench() {
  const later = [commandsMigrations, irrigationModule.migrations, balancingMigrations]
  const database = await createCoreDatabase(later, 'campaigns')
  const log = createLog({ logLevel: 'silent' })
  const settings = { syncedAt: systemClock.now(), factor: FACTOR, aheadMs: 0 }
  const clock = createFastClock(settings)
  const config = createTestConfig({ DATABASE_URL: database.url })
  const filling = createDatabase(config, log)
  const wide = createWideRegistry(2, 4)
  const station = { serial: STATION, name: STATION, kind: 'station', model: 's', node: 'n5' } as const
  const devices = [...wide.devices, { ...station, concentrator: 'C1', periodS: 5 }]
  await importRegistry(filling, { ...wide, devices })
  await filling.destroy()
  const core = await createCore({ config, log, clock }, later)
  const { db, signals, network, session, devices: registered } = core
  const fixtures = createFixtures(core)
  const accountId = await fixtures.createAccount('balancer', allowed, ['n5'])
  const node = await fixtures.nodeKey('n5')
  const nodePath = await fixtures.pathOf('n5')
  const stationNodeId = await fixtures.nodeId('n5')

  const serials = [1, 2].flatMap((concentrator) => [1, 2, 3, 4].map((valve) => `C${concentrator}V${valve}`))
  const field: TestField = {
    openings: new Map(),
    orders: [],
    heads: [],
    headKpa: FIRST_KPA,
    offsets: [],
    offsetK: 0,
    broken: new Set(),
    blocked: new Set(),
    isSlow: false,
    isAway: false,
  }
  const readings = createTestReadings()
  const known = new Set<string>()
  const ids = new Map<string, number>()
  const revs = new Map<string, number>()
  let commands: Commands

  async function answer(topic: string, payload: string): Promise<void> {
    const { id, dev, args, rev } = JSON.parse(payload)
    const from = { tenant: 'test', gateway: topic.split('/')[3] ?? '' }
    const isNew = !known.has(id)
    if (isNew && dev === STATION && args.offset !== undefined) field.offsets.push(args.offset)
    else if (isNew && dev === STATION) field.heads.push(args.head)
    if (isNew && dev !== STATION) field.orders.push({ serial: dev, openingPct: args.opening, id })
    known.add(id)
    revs.set(dev, Math.max(rev, revs.get(dev) ?? 0))
    while (field.isSlow) await pause(5)
    const isOlder = rev < (revs.get(dev) ?? 0)
    if (field.broken.has(dev) || isOlder) {
      const code = isOlder ? replyCodes.superseded : replyCodes.deviceFailure
      await commands.acceptReply(from, toReply(id, dev, 'accepted', code, clock.now()))
      return
    }
    const doneAt = clock.now()
    await commands.acceptReply(from, toReply(id, dev, 'done', 0, doneAt))
    const at = { deviceId: await idOf(dev), ts: doneAt + 1 }
    if (dev === STATION && args.offset !== undefined) {
      field.offsetK = args.offset
      commands.observeOffset({ ...at, offsetK: args.offset })
      return
    }
    if (dev === STATION) {
      field.headKpa = args.head
      commands.observeHead({ ...at, headKpa: args.head })
      return
    }
    if (!field.blocked.has(dev)) field.openings.set(dev, args.opening)
    commands.observeOpening({ ...at, openingPct: field.openings.get(dev) ?? FIRST_PCT })
  }

  const idOf = async (serial: string): Promise<number> => {
    const entry = registered.directory.find('test', serial)
    if (!entry) throw new Error(`no ${serial}`)
    return entry.id
  }

  commands = await createCommands({
    db,
    signals,
    clock,
    log,
    network,
    directory: registered.directory,
    devices: registered.service,
    groups: registered.groups,
    listSwitchedOff: registered.listSwitchedOff,
    changes: registered.changes,
    getConfigurable: registered.getConfigurable,
    findOpening: (id) => field.openings.get(serials.find((serial) => ids.get(serial) === id) ?? ''),
    findMetrics: (id) =>
      id === ids.get(STATION)
        ? { 'pressure.diff': field.headKpa, 'pump.target': field.headKpa, 'supply.offset': field.offsetK }
        : undefined,
    isConnected: () => !field.isAway,
    publish: async (topic, payload) => {
      answer(topic, payload).catch((err: unknown) => log.warn({ err }, 'a valve failed'))
    },
  })

  for (const serial of [...serials, SLEEPER, STATION]) ids.set(serial, await idOf(serial))
  const toId = (serial: string): number => ids.get(serial) ?? 0

  const toPlan = (waves: readonly TestWave[]): RoundPlan => {
    const toValve = (serial: string) => ({
      serial,
      deviceId: toId(serial),
      openingPct: field.openings.get(serial) ?? 0,
    })
    return createTestPlan(serials.map(toValve), waves, { node, plannedAt: clock.now() })
  }
  const planner = createTestPlanner(readings, clock)

  const place = {
    companyId: 0,
    node,
    nodeName: '小区',
    nodePath,
    stationNodeId,
    stationName: '换热站',
    stationPath: await fixtures.pathOf('n4'),
  }
  place.companyId = (await db.selectFrom('company').select('id').executeTakeFirstOrThrow()).id

  const needs: RunnerNeeds = {
    db,
    clock,
    log,
    signals,
    planner,
    commands: commands.service,
    batches: commands.batches,
    states: { find: findState },
    findDevices: registered.service.findDevices,
    findAccess: session.findAccountAccess,
  }
  /** Newest readings of a valve: it reports all the time. */
  function findState(deviceId: number) {
    const openingPct = field.openings.get(serials.find((serial) => toId(serial) === deviceId) ?? '')
    return openingPct === undefined
      ? undefined
      : { deviceId, ts: clock.now(), quality: 0, version: 1, metrics: { 'valve.opening': openingPct } }
  }
  const running = new Set<CampaignRunner>()
  const who = () => ({ accountId, account: 'balancer', at: clock.now() })
  const toOperation = (name: string) => ({
    ...toSystemOperation(name, clock.now()),
    accountId,
    account: 'balancer',
  })
  async function get(id: number) {
    const found = await findCampaignDetail(db, scopeOfEverything, id)
    if (!found) throw new Error(`no campaign ${id}`)
    return found
  }

  return {
    db,
    clock,
    settings,
    field,
    readings,
    serials,
    toId,
    toPlan,
    get,
    place,
    who,
    toOperation,
    accountId,
    commands: commands.service,
    batches: commands.batches,
    holds: commands.holds,
    supplies: commands.supplies,
    pumps: commands.pumps,
    needs,
    /** Commands to each valve, by serial. */
    listOrders: () => field.orders.map(({ serial, openingPct }) => [serial, openingPct] as const).sort(),
    /** A call of the approver with their present permissions. */
    async act() {
      const access = await session.findAccountAccess(accountId)
      if (!access) throw new Error('no access')
      const caller = { ...reader, ...access, accountId, account: 'balancer' }
      return { caller, operation: toOperation('publishMqCtlCmd') }
    },
    /** A separate runner; `needs` replaces some of its dependencies. */
    start(given: Partial<RunnerNeeds> = {}): CampaignRunner {
      const runner = startCampaignRunner({ ...needs, ...given })
      running.add(runner)
      return runner
    },
    async stop(runner: CampaignRunner): Promise<void> {
      running.delete(runner)
      await runner.close()
    },
    /** Abandons a runner that hangs: it never releases its leases, as if its process had died. */
    drop: (runner: CampaignRunner) => running.delete(runner),
    async add(plan: RoundPlan): Promise<number> {
      const mode = { kind: 'temperature', target: 'return' } as const
      return storeCampaignDraft(db, { place, mode, plan, who: who() }, toOperation('addCampaign'))
    },
    async move(event: PersonalEvent, id: number): Promise<void> {
      const { version } = await get(id)
      await moveCampaign(db, event, { id, version, ...who() }, toOperation(`${event}Campaign`))
    },
    /** Resolves once the campaign is in a state. */
    async reach(id: number, state: CampaignState): Promise<void> {
      const until = systemClock.now() + 20_000
      // Reads the state alone: reading whole campaigns this often would take most of the time of a test.
      const look = db.selectFrom('campaign').select('state').where('id', '=', id)
      for (;;) {
        const found = await look.executeTakeFirstOrThrow()
        if (found.state === state) return
        if (systemClock.now() > until) throw new Error(`${id} is ${found.state}, not ${state}`)
        await pause(20)
      }
    },
    /** Resolves once no command is open. */
    async settleCommands(): Promise<void> {
      const open = db.selectFrom('command').where('deadline_ms', 'is not', null).select('id')
      while ((await open.execute()).length > 0) await pause(20)
    },
    /** Restores the initial state. */
    async clear(): Promise<void> {
      for (const runner of running) await runner.close()
      running.clear()
      field.isSlow = false
      field.isAway = false
      field.broken.clear()
      field.blocked.clear()
      field.orders.length = 0
      field.heads.length = 0
      field.headKpa = FIRST_KPA
      field.offsets.length = 0
      field.offsetK = 0
      for (const serial of serials) field.openings.set(serial, FIRST_PCT)
      Object.assign(readings, createTestReadings())
      await db.deleteFrom('campaign').execute()
      await db.deleteFrom('valve_hold').execute()
    },
    async close(): Promise<void> {
      for (const runner of running) await runner.close()
      await commands.close()
      await core.signals.close()
      await core.clickhouse.close()
      await db.destroy()
      await database.drop()
    },
  }
}

export type CampaignsBench = Awaited<ReturnType<typeof startCampaignsBench>>
