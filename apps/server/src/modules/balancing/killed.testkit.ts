import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { createFixtures } from '../../core.testkit.ts'
import { createCoreDatabase } from '../../core-database.testkit.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/database.pg.ts'
import { createLog } from '../../platform/log.ts'
import { kill, launchServer, type ServerProcess } from '../../server-process.testkit.ts'
import { createWideRegistry, toReply } from '../commands/commands.testkit.ts'
import { createFastClock } from '../commands/fast-clock.testkit.ts'
import { commandsMigrations } from '../commands/index.ts'
import { importRegistry } from '../devices/index.ts'
import { seed } from '../session/index.ts'
import type { TestValve } from './campaign-plan.testkit.ts'
import { balancingMigrations } from './migrations.pg.ts'
import type { Place } from './planner.ts'

/** So much faster than the machine's run the clocks of the servers. */
const FACTOR = 3
/** Where valves stand before anything is asked of them, %. */
export const FIRST_PCT = 50
export const serials = ['C1V1', 'C1V2', 'C2V1', 'C2V2']
const allowed = ['pe-fmcontrol', 'pe-egmonitor', 'pe-sxmonitor'] as const

const published = z.object({ topic: z.string(), payload: z.string() })
const stopped = z.object({ at: z.string() })
const message = z.object({
  id: z.string(),
  dev: z.string(),
  rev: z.number(),
  args: z.object({ opening: z.number() }),
})

/** A company with four valves that outlive any server, and the servers: processes of `program`. */
export async function startKilledBench(program: URL) {
  const later = [commandsMigrations, balancingMigrations]
  const database = await createCoreDatabase(later, 'campaigns')
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  await importRegistry(db, createWideRegistry(2, 2))
  await seed(db)
  const settings = { agreedAt: systemClock.now(), factor: FACTOR, aheadMs: 0 }
  const clock = createFastClock(settings)
  const fixtures = createFixtures({ db })
  const ids = new Map<string, number>()
  for (const serial of serials) ids.set(serial, await fixtures.deviceId(serial))
  const openings = new Map(serials.map((serial) => [serial, FIRST_PCT]))
  const revs = new Map<string, number>()
  const told = new Set<string>()
  let server: ServerProcess | undefined
  let stops = Promise.withResolvers<string>()

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
    ...{ companyId, node: await fixtures.nodeKey('n5'), nodeName: '小区' },
    ...{ nodePath: await fixtures.pathOf('n5'), stationNodeId: await fixtures.nodeId('n4') },
    ...{ stationName: '换热站', stationPath: await fixtures.pathOf('n4') },
  }
  return {
    ...{ db, clock, settings, openings, told, place },
    who: () => ({ accountId, account: 'balancer', at: clock.now() }),
    listValves: (): readonly TestValve[] =>
      serials.map((serial) => ({
        ...{ serial, deviceId: ids.get(serial) ?? 0, openingPct: openings.get(serial) ?? 0 },
      })),
    /** `words` are the program's further arguments. */
    async launch(...words: readonly string[]): Promise<void> {
      stops = Promise.withResolvers()
      server = await launchServer(
        { DATABASE_URL: database.url, CLICKHOUSE_URL: 'http://127.0.0.1:1/none' },
        program,
        [JSON.stringify(settings), ...words],
      )
      server.child.on('message', hear)
    },
    async kill(): Promise<void> {
      if (server) await kill(server.child)
    },
    /** Where the server that runs says that it stands still. */
    findStop: () => stops.promise,
    /** Each order to each valve, by its opening; of one batch and opening there is one. */
    listOrders: () =>
      db
        .selectFrom('command')
        .innerJoin('device', 'device.id', 'command.device_id')
        .orderBy('command.rev')
        .select(['serial', 'opening_pct as openingPct', 'command.state'])
        .execute(),
  }
}

export type KilledBench = Awaited<ReturnType<typeof startKilledBench>>
