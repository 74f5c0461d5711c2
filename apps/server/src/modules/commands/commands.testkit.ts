import type { Permission } from '@isotherm/contract/access/permissions'
import type { Command, CommandState } from '@isotherm/contract/command'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { systemClock } from '../../platform/clock.ts'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { createLog } from '../../platform/log.ts'
import { createTestOperation } from '../../platform/operation/operation.testkit.ts'
import { createDatabase, type Database } from '../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { createSignals } from '../../platform/signals/signals.pg.ts'
import { createCoreDatabase } from '../../testing/core-database.testkit.ts'
import { importRegistry } from '../devices/import/import-registry.testkit.ts'
import { createDevices } from '../devices/index.ts'
import { createNetwork } from '../network/index.ts'
import { type Commands, type CommandsNeeds, createCommands } from './index.ts'
import { commandsMigrations } from './migrations.pg.ts'
import { findCommands } from './store/query.pg.ts'

const names = ['集团', '公司', '区域', '换热站', '小区', '1号楼', '1单元'] as const

const levelKind = (level: number): RegistryFile['nodes'][number]['kind'] =>
  level === 1 ? 'project' : level < 6 ? 'group' : level === 6 ? 'sub-user' : 'address'

/** One building with two valves and a heat meter behind one concentrator. */
const registry: RegistryFile = {
  v: 1,
  company: { tenant: 'test', name: '试验公司', timeZone: 'Asia/Shanghai' },
  nodes: names.map((name, index) => ({
    key: `n${index + 1}`,
    parent: index === 0 ? null : `n${index}`,
    kind: levelKind(index + 1),
    level: index + 1,
    name,
  })),
  devices: [
    {
      serial: 'C1',
      kind: 'concentrator',
      name: '集中器',
      model: 'c',
      node: 'n6',
      concentrator: null,
      periodS: 5,
    },
    ...['V1', 'V2'].map((serial) => ({
      serial,
      kind: 'valve' as const,
      name: serial,
      model: 'v',
      node: 'n7',
      concentrator: 'C1',
      periodS: 5,
      limits: { minPct: 10, maxPct: 100 },
    })),
    { serial: 'M1', kind: 'heat-meter', name: 'M1', model: 'm', node: 'n6', concentrator: 'C1', periodS: 5 },
  ],
}

/** Two units with `each` valves behind each of `concentrators`: C1V1 and so on; and S1, which sleeps. */
export function createWideRegistry(concentrators: number, each: number): RegistryFile {
  const units = ['n7', 'n8']
  const unit = { parent: 'n6', kind: 'address' as const, level: 7 }
  const valve = { kind: 'valve' as const, model: 'v', limits: { minPct: 10, maxPct: 100 } }
  const device = (serial: string) => ({ serial, name: serial })
  const numbers = Array.from({ length: concentrators }, (_, index) => index + 1)
  return {
    ...registry,
    nodes: [...registry.nodes, { ...unit, key: 'n8', name: '2单元' }],
    devices: [
      ...numbers.map((number) => ({
        ...device(`C${number}`),
        kind: 'concentrator' as const,
        model: 'c',
        node: 'n6',
        concentrator: null,
        periodS: 5,
      })),
      ...numbers.flatMap((number) =>
        Array.from({ length: each }, (_, index) => ({
          ...device(`C${number}V${index + 1}`),
          ...valve,
          periodS: 5,
          node: units[number % 2] ?? 'n7',
          concentrator: `C${number}`,
        })),
      ),
      { ...device('S1'), ...valve, node: 'n7', concentrator: null, periodS: 900 },
    ],
  }
}

export interface PublishedMessage {
  readonly topic: string
  readonly body: Record<string, unknown>
}

/** The machine's clock, shifted by `shiftMs`. */
function createShiftedClock(): Clock & { shiftMs: number } {
  return {
    shiftMs: 0,
    now() {
      return systemClock.now() + this.shiftMs
    },
    elapsed() {
      return systemClock.elapsed() + this.shiftMs
    },
    setTimeout: systemClock.setTimeout,
  }
}

const allowed: readonly Permission[] = ['pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory']

/** A new call of a dispatcher; its operation is recorded once. */
export const toDispatch = () => ({
  ...createTestCall({ account: 'dispatcher', permissions: new Set(allowed) }),
  operation: createTestOperation({ account: 'dispatcher' }),
})
export const dispatcher = toDispatch().caller

/**
 * Empties the tables of orders, holds and limits. Running poll loops lock the tables in another order, so a deadlock is
 * retried.
 */
async function empty(db: Database): Promise<void> {
  const tables = sql`control_limit, pump_limit, supply_limit, valve_hold, command_event, command, command_batch, command_lane`
  for (let left = 5; ; left -= 1) {
    try {
      return void (await sql`truncate ${tables}`.execute(db))
    } catch (error) {
      if (left === 0 || !(error instanceof Error && /deadlock/.test(error.message))) throw error
    }
  }
}

/** The commands module on a real database with a small company; it collects messages to devices. */
export async function startCommandsBench(
  installed: RegistryFile = registry,
  findMetrics?: CommandsNeeds['findMetrics'],
  toLongestOpenings?: (db: Database) => CommandsNeeds['listLongestOpenings'],
) {
  const test = await createCoreDatabase([commandsMigrations], 'commands')
  const config = { databaseUrl: test.url, logLevel: 'silent' } as const
  const log = createLog(config)
  const clock = createShiftedClock()
  const db = createDatabase(config, log)
  await importRegistry(db, installed)
  const signals = await createSignals(config, db, clock, log)
  const registered = await createDevices(db, signals, clock, log)
  const { service: devices, directory } = registered
  const network = createNetwork(db, registered)
  const published: PublishedMessage[] = []
  const broker = { isAway: false, stuck: new Set<string>(), gone: new Set<string>() }

  const start = (): Promise<Commands> =>
    createCommands({
      db,
      signals,
      clock,
      log,
      devices,
      groups: registered.groups,
      listSwitchedOff: registered.listSwitchedOff,
      listRadioDevices: registered.listRadioDevices,
      changes: registered.changes,
      getConfigurable: registered.getConfigurable,
      directory,
      network,
      findOpening: () => 35,
      listLongestOpenings: toLongestOpenings?.(db),
      ...(findMetrics ? { findMetrics } : {}),
      isConnected: ({ gateway }) => !broker.gone.has(gateway),
      async publish(topic, payload) {
        if (broker.isAway) throw new Error('no broker')
        // The broker never answers for this gateway.
        if (broker.stuck.has(topic.split('/')[3] ?? '')) await new Promise(() => undefined)
        published.push({ topic, body: JSON.parse(payload) })
      },
    })

  const idOf = (serial: string): number => {
    const entry = directory.find('test', serial)
    if (!entry) throw new Error(`no ${serial}`)
    return entry.id
  }

  return {
    db,
    registered,
    clock,
    broker,
    published,
    start,
    idOf,
    /** Targets of an order: openings, %, by the serial of the valve. */
    toTargets: (openings: Readonly<Record<string, number>>) =>
      Object.entries(openings).map(([serial, openingPct]) => ({ deviceId: idOf(serial), openingPct })),
    /** Resets: no commands, no shift of the clock, the broker available. */
    async clear() {
      clock.shiftMs = 0
      published.length = 0
      broker.isAway = false
      broker.stuck.clear()
      broker.gone.clear()
      await empty(db)
    },
    empty: () => empty(db),
    async close() {
      await signals.close()
      await db.destroy()
      await test.drop()
    },
  }
}

export type CommandsBench = Awaited<ReturnType<typeof startCommandsBench>>

/** Helpers to send and read commands. */
export function createOrderSender(
  running: () => { readonly bench: CommandsBench; readonly commands: Commands },
) {
  async function sendOrder(openings: Readonly<Record<string, number>>): Promise<Command[]> {
    const { bench, commands } = running()
    const order = { targets: bench.toTargets(openings), reason: 'test' }
    const given = await commands.service.send(toDispatch(), order)
    return given.commands
  }
  return {
    sendOrder,
    async sendOne(serial: string, openingPct: number): Promise<Command> {
      const [command] = await sendOrder({ [serial]: openingPct })
      if (!command) throw new Error('no command')
      return command
    },
    async stateOf(id: string): Promise<CommandState | undefined> {
      const [placed] = await findCommands(running().bench.db, scopeOfEverything, [id])
      return placed?.command.state
    },
  }
}

/** A device's reply on the wire. */
export const toReply = (
  id: string,
  dev: string,
  stage: 'accepted' | 'running' | 'done',
  code = 0,
  ts = Date.now(),
): Buffer => Buffer.from(JSON.stringify({ v: 1, id, dev, stage, code, ts, boot: 1, seq: 1 }))
