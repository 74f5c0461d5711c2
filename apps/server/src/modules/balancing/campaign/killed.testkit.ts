import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { createDatabase } from '../../../platform/postgres/database.pg.ts'
import { createFixtures } from '../../../testing/core.testkit.ts'
import { createCoreDatabase } from '../../../testing/core-database.testkit.ts'
import { kill, launchServer, type ServerProcess } from '../../../testing/server-process.testkit.ts'
import { createWideRegistry, toReply } from '../../commands/commands.testkit.ts'
import { createFastClock } from '../../commands/fast-clock.testkit.ts'
import { commandsMigrations } from '../../commands/migrations.pg.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { irrigationModule } from '../../irrigation/index.ts'
import { seed } from '../../session/index.ts'
import type { Place } from '../loop/place.ts'
import { balancingMigrations } from '../migrations.pg.ts'
import type { TestValve } from './campaign-plan.testkit.ts'

/** Time factor of the servers' clocks. */
const FACTOR = 3
/** Initial opening of valves, %. */
export const FIRST_PCT = 50
export const serials = ['C1V1', 'C1V2', 'C2V1', 'C2V2']
/** The station's controller, and its initial head, kPa. */
export const STATION = 'ST'
export const FIRST_KPA = 50
const allowed = ['pe-fmcontrol', 'pe-egmonitor', 'pe-sxmonitor'] as const

const published = z.object({ topic: z.string(), payload: z.string() })
const stopped = z.object({ at: z.string() })
const message = z.object({
  id: z.string(),
  dev: z.string(),
  rev: z.number(),
  args: z.object({ opening: z.number().optional(), head: z.number().optional() }),
})

/** Time between two database queries of a test, ms: a query takes longer than the wait. */
export const WHOLE_CHECK_MS = 50

/** A wait that takes longer fails and names itself, before the time of its test is over. */
const LONGEST_WAIT_MS = 150_000

export const until = async (isReached: () => boolean | Promise<boolean>, everyMs = 5): Promise<void> => {
  const end = performance.now() + LONGEST_WAIT_MS
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error(`Not reached: ${isReached}`)
    await pause(everyMs)
  }
}

/**
 * A company with four valves and a pump that outlive the servers, and the servers: processes of `program`.
 */
export async function startKilledBench(program: URL) {
  const later = [commandsMigrations, irrigationModule.migrations, balancingMigrations]
  const database = await createCoreDatabase(later, 'campaigns')
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  const wide = createWideRegistry(2, 2)
  const station = { serial: STATION, name: STATION, kind: 'station', model: 's', node: 'n5' } as const
  const devices = [...wide.devices, { ...station, concentrator: 'C1', periodS: 5 }]
  await importRegistry(db, { ...wide, devices })
  await seed(db)
  const settings = { syncedAt: systemClock.now(), factor: FACTOR, aheadMs: 0 }
  const clock = createFastClock(settings)
  const fixtures = createFixtures({ db })
  const ids = new Map<string, number>()
  for (const serial of [...serials, STATION]) ids.set(serial, await fixtures.deviceId(serial))
  const toId = (serial: string): number => ids.get(serial) ?? 0
  const openings = new Map(serials.map((serial) => [serial, FIRST_PCT]))
  /** Heads that the pump went to, kPa, and whether its replies are lost. */
  const field = { heads: [FIRST_KPA], isMute: false }
  const revs = new Map<string, number>()
  const sent = new Set<string>()
  let server: ServerProcess | undefined
  let stops = Promise.withResolvers<string>()

  const headNow = () => ({ deviceId: toId(STATION), headKpa: field.heads.at(-1) ?? FIRST_KPA })

  /** A device knows its executed commands by revision, and repeats the same reply. */
  function answer({ topic, payload }: z.infer<typeof published>): void {
    const { id, dev, rev, args } = message.parse(JSON.parse(payload))
    sent.add(id)
    const isOlder = rev < (revs.get(dev) ?? 0)
    const isNew = rev > (revs.get(dev) ?? 0)
    if (isNew) {
      revs.set(dev, rev)
      if (args.opening !== undefined) openings.set(dev, args.opening)
      if (args.head !== undefined) field.heads.push(args.head)
    }
    if (field.isMute) return
    const ts = clock.now()
    const reply = toReply(id, dev, isOlder ? 'accepted' : 'done', isOlder ? 1 : 0, ts).toString()
    const stand = dev === STATION ? headNow() : { deviceId: toId(dev), openingPct: openings.get(dev) ?? 0 }
    const reading = { ...stand, ts: ts + 1 }
    const node = topic.split('/')[3] ?? ''
    if (server?.child.connected) server.child.send({ node, reply, reading })
  }

  function hear(sent: unknown): void {
    const stop = stopped.safeParse(sent)
    if (stop.success) stops.resolve(stop.data.at)
    else answer(published.parse(sent))
  }

  onTestFinished(async () => {
    if (server) await kill(server.child)
    await db.destroy()
    await database.drop()
  })
  const accountId = await fixtures.createAccount('balancer', allowed, ['n5'])
  const { id: companyId } = await db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  const place: Place = {
    companyId,
    node: await fixtures.nodeKey('n5'),
    nodeName: '小区',
    nodePath: await fixtures.pathOf('n5'),
    stationNodeId: await fixtures.nodeId('n4'),
    stationName: '换热站',
    stationPath: await fixtures.pathOf('n4'),
  }

  /** `words` are further arguments of the program. */
  async function launch(...words: readonly string[]): Promise<void> {
    stops = Promise.withResolvers()
    server = await launchServer(
      { DATABASE_URL: database.url, CLICKHOUSE_URL: 'http://127.0.0.1:1/none' },
      program,
      [JSON.stringify({ ...settings, station: headNow() }), ...words],
    )
    server.child.on('message', hear)
  }
  const killNow = async (): Promise<void> => {
    if (server) await kill(server.child)
  }

  /** Whether a server waits for a lock on a table. */
  const isWaitedFor = async (table: string): Promise<boolean> => {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = ${table}::regclass
        and database = (select oid from pg_database where datname = current_database())`.execute(db)
    return rows.length > 0
  }

  return {
    db,
    clock,
    settings,
    openings,
    field,
    sent,
    place,
    toId,
    launch,
    kill: killNow,
    who: () => ({ accountId, account: 'balancer', at: clock.now() }),
    listValves: (): readonly TestValve[] =>
      serials.map((serial) => ({
        serial,
        deviceId: toId(serial),
        openingPct: openings.get(serial) ?? 0,
      })),
    /**
     * Kills a server within the transaction that would write to `table` next: its transaction is rolled back.
     */
    killStoring: (table: string, begin: () => Promise<void>): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await sql`lock table ${sql.table(table)} in share mode`.execute(transaction)
        await begin()
        await until(() => isWaitedFor(table))
        await killNow()
      }),
    /** Where the server reported that it waits. */
    findStop: () => stops.promise,
    /** Commands to each device in order, by opening or head. */
    listOrders: () =>
      db
        .selectFrom('command')
        .innerJoin('device', 'device.id', 'command.device_id')
        .orderBy('command.rev')
        .select(['serial', 'opening_pct as openingPct', 'head_kpa as headKpa', 'command.state'])
        .execute(),
  }
}

export type KilledBench = Awaited<ReturnType<typeof startKilledBench>>
