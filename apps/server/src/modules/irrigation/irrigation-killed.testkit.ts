import { setTimeout } from 'node:timers/promises'
import { planSingleRun } from '@isotherm/irrigation/plan/plan-runs'
import { sql } from 'kysely'
import type { TestContext } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { createDatabase } from '../../platform/postgres/database.pg.ts'
import { createFixtures } from '../../testing/core.testkit.ts'
import { createCoreDatabase } from '../../testing/core-database.testkit.ts'
import { kill, launchServer, type ServerProcess } from '../../testing/server-process.testkit.ts'
import { createWideRegistry, toReply } from '../commands/commands.testkit.ts'
import { createFastClock } from '../commands/fast-clock.testkit.ts'
import { commandsMigrations } from '../commands/migrations.pg.ts'
import { importRegistry } from '../devices/import/import-registry.testkit.ts'
import { seed } from '../session/index.ts'
import { irrigationMigrations } from './migrations.pg.ts'
import { insertRun } from './storage/runs.pg.ts'
import { writeSettings } from './storage/sources.pg.ts'

/** Time factor of the clocks. */
const FACTOR = 3
const RUN_S = 60
/** Longest time of the valves of groups, s. */
const MAX_S = 120
const FLOW_M3H = 6
const GROUPS = [['C1V1', 'C1V2'], ['C1V3', 'C1V4'], ['C1V5']] as const
const MASTER = 'C1V6'
/** A valve reports each half second of the machine. */
const REPORT_MS = 500

const published = z.object({ topic: z.string(), payload: z.string() })
const order = z.object({
  id: z.string(),
  dev: z.string(),
  rev: z.number(),
  args: z.object({ opening: z.number(), maxSec: z.number().optional() }),
})
type Order = z.infer<typeof order>

interface FieldValve {
  openingPct: number
  openedMs: number
  closesMs: number
  rev: number
}

/** A source with a master valve and three groups whose rotation is under way, a field that outlives servers, and the servers. */
export async function startKilledField(onTestFinished: TestContext['onTestFinished']) {
  const database = await createCoreDatabase([commandsMigrations, irrigationMigrations], 'irrigation')
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  const wide = createWideRegistry(1, 6)
  await importRegistry(db, {
    ...wide,
    devices: wide.devices.map((device) =>
      device.kind === 'valve' ? { ...device, limits: { minPct: 0, maxPct: 100 } } : device,
    ),
  })
  await seed(db)
  const settings = { syncedAt: systemClock.now(), factor: FACTOR, aheadMs: 0 }
  const clock = createFastClock(settings)
  const fixtures = createFixtures({ db })
  const ids = new Map<string, number>()
  for (const serial of [...GROUPS.flat(), MASTER]) ids.set(serial, await fixtures.deviceId(serial))
  const toId = (serial: string): number => ids.get(serial) ?? 0
  const accountId = await fixtures.createAccount('keeper', ['pe-irrigation'], ['n5'])

  const valves = new Map(
    [...ids.keys()].map((serial): [string, FieldValve] => [
      serial,
      { openingPct: 0, openedMs: 0, closesMs: Number.POSITIVE_INFINITY, rev: 0 },
    ]),
  )
  /** What must never be: noted when it happens. */
  const violations: string[] = []
  /** Commands that open, by serial: each command once, however often it is published. */
  const openings = new Map<string, Set<string>>()
  let server: ServerProcess | undefined
  let onOrder: (given: Order) => void = () => {}

  const isOpen = (serial: string): boolean => (valves.get(serial)?.openingPct ?? 0) > 0

  function check(): void {
    const open = GROUPS.filter((serials) => serials.some(isOpen))
    if (open.length > 1) violations.push(`two groups: ${open.flat().join()}`)
  }

  /** A valve closes by itself after its time, with or without a server. */
  function closeInTime(): void {
    const now = clock.now()
    for (const [serial, valve] of valves) {
      if (valve.openingPct > 0 && now >= valve.closesMs) valve.openingPct = 0
      const longest = serial === MASTER ? Number.POSITIVE_INFINITY : MAX_S * 1000 + 3 * REPORT_MS * FACTOR
      if (valve.openingPct > 0 && now - valve.openedMs > longest) violations.push(`${serial} too long open`)
    }
  }

  const tell = (serial: string, reply?: string): void => {
    const openingPct = valves.get(serial)?.openingPct ?? 0
    const isWet = openingPct > 0 && serial !== MASTER && isOpen(MASTER)
    const reading = { deviceId: toId(serial), openingPct, flowM3H: isWet ? FLOW_M3H : 0, ts: clock.now() + 1 }
    // What is on its way to a server that is killed meanwhile is lost.
    if (server?.child.connected) server.child.send({ reply, reading }, () => {})
  }

  /** A device knows its executed commands by revision, and repeats the same reply. */
  function obey(given: Order): void {
    const { id, dev, rev, args } = given
    const valve = valves.get(dev)
    if (!valve) return
    if (args.opening > 0) {
      openings.set(dev, (openings.get(dev) ?? new Set()).add(id))
      if (args.maxSec === undefined) violations.push(`${dev} opens without its longest time`)
    }
    if (rev > valve.rev) {
      const now = clock.now()
      valve.rev = rev
      if (args.opening > 0 && valve.openingPct === 0) valve.openedMs = now
      valve.openingPct = args.opening
      valve.closesMs = args.opening > 0 ? now + (args.maxSec ?? 0) * 1000 : Number.POSITIVE_INFINITY
      check()
    }
    const isOlder = rev < valve.rev
    tell(dev, toReply(id, dev, isOlder ? 'accepted' : 'done', isOlder ? 1 : 0, clock.now()).toString())
  }

  const reports = setInterval(() => {
    closeInTime()
    for (const serial of valves.keys()) tell(serial)
  }, REPORT_MS)

  onTestFinished(async () => {
    clearInterval(reports)
    if (server) await kill(server.child)
    await db.destroy()
    await database.drop()
  })

  const groups = new Map<number, readonly string[]>()
  const toValves = (serials: readonly string[]) =>
    serials.map((serial) => ({ deviceId: toId(serial), flowM3H: FLOW_M3H, maxS: MAX_S }))
  const source = {
    name: '一号泵站',
    capacityM3H: 12,
    leadS: 5,
    lagS: 5,
    groupDelayS: 0,
    masterId: toId(MASTER),
    afterOutage: 'resume',
  }
  const runId = await db.transaction().execute(async (transaction) => {
    const write = (
      table: 'irrigation_source' | 'irrigation_group',
      values: Readonly<Record<string, unknown>>,
    ) => writeSettings(transaction, { table, id: undefined, values })
    const now = clock.now()
    const node_id = await fixtures.nodeId('n5')
    const sourceId = await write('irrigation_source', { node_id, settings: source, planned_ms: now })
    for (const serials of GROUPS) {
      const group = { name: serials.join(), mode: 'parallel', valves: toValves(serials) }
      groups.set(await write('irrigation_group', { source_id: sourceId, settings: group }), serials)
    }
    const planned = planSingleRun(
      {
        source,
        groups: [...groups].map(([id, serials]) => ({
          id,
          mode: 'parallel',
          valves: toValves(serials).map(({ deviceId, ...valve }) => ({ id: deviceId, ...valve })),
        })),
        clock: { toLocal: (ms) => ms, toInstant: (ms) => ms },
        conditions: { moisturePct: new Map() },
      },
      {
        id: 0,
        days: { kind: 'odd' },
        starts: [],
        entries: [...groups.keys()].map((groupId) => ({ groupId, runS: RUN_S })),
        seasonalPct: 100,
        together: false,
      },
      now,
    )
    return insertRun(transaction, {
      sourceId,
      programId: null,
      name: '轮灌',
      together: false,
      accountId,
      account: 'keeper',
      now,
      planned,
      conflicts: [],
      toMaxS: () => MAX_S,
    })
  })

  const launch = async (): Promise<void> => {
    server = await launchServer(
      { DATABASE_URL: database.url, CLICKHOUSE_URL: 'http://127.0.0.1:1/none' },
      new URL('./irrigation-process.testkit.ts', import.meta.url),
      [JSON.stringify(settings)],
    )
    server.child.on('message', (sent) => {
      const given = order.parse(JSON.parse(published.parse(sent).payload))
      onOrder(given)
      obey(given)
    })
  }
  const killNow = async (): Promise<void> => {
    if (server) await kill(server.child)
  }

  return {
    launch,
    violations,
    openings,
    groups: GROUPS,
    master: MASTER,
    listOpen: () => [...valves.keys()].filter(isOpen),
    /** Kills the server when it has published a command of a kind to a valve, before the valve answers. */
    async killAt(serials: readonly string[], isOpening: boolean): Promise<void> {
      const reached = Promise.withResolvers<void>()
      onOrder = ({ dev, args }) => {
        if (!serials.includes(dev) || args.opening > 0 !== isOpening) return
        onOrder = () => {}
        server?.child.kill('SIGKILL')
        reached.resolve()
      }
      await reached.promise
      await killNow()
    },
    /** Kills the server after a time, whatever it does then. */
    async killAfter(ms: number): Promise<void> {
      await setTimeout(ms)
      await killNow()
    },
    /** Kills the server within the transaction that would write to a table next: it is rolled back. */
    killStoring: (table: string): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await sql`lock table ${sql.table(table)} in share mode`.execute(transaction)
        const isWaitedFor = async () => {
          const { rows } = await sql`select from pg_locks where not granted and relation = ${table}::regclass
            and database = (select oid from pg_database where datname = current_database())`.execute(db)
          return rows.length > 0
        }
        while (!(await isWaitedFor())) await setTimeout(50)
        await killNow()
      }),
    /** The run as it is stored, with its steps in order. */
    async readRun() {
      const run = await db
        .selectFrom('irrigation_run')
        .select('state')
        .where('id', '=', runId ?? 0)
        .executeTakeFirstOrThrow()
      const steps = await db
        .selectFrom('irrigation_step')
        .select(['state', 'volume_m3 as volumeM3', 'opened_ms as openedMs', 'closed_ms as closedMs'])
        .where('run_id', '=', runId ?? 0)
        .orderBy('seq')
        .execute()
      const { master_state: master } = await db
        .selectFrom('irrigation_source')
        .select('master_state')
        .executeTakeFirstOrThrow()
      return { state: run.state, master, steps }
    },
  }
}
