import type { Permission } from '@isotherm/contract/access/permissions'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { hash } from '@node-rs/argon2'
import { vi } from 'vitest'
import { type Core, createCore } from '../core.ts'
import { importRegistry } from '../modules/devices/import/import-registry.testkit.ts'
import { toClientHash } from '../modules/session/sign-in/passwords.ts'
import { servesTenant } from '../platform/cell/cell.ts'
import type { Clock, Timer } from '../platform/clock.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { createCoreDatabase } from './core-database.testkit.ts'

/** A clock that only a test advances. Its timers run when their time is reached. */
export interface TestClock extends Clock {
  advance(ms: number): void
  /** Sets the clock forward or back: no time passes. */
  jump(ms: number): void
}

export function createTestClock(start = Date.UTC(2026, 10, 21, 4)): TestClock {
  let [now, jumped] = [start, 0]
  let timers: { at: number; task: () => void }[] = []
  return {
    now: () => now + jumped,
    // No instant: a comparison with one would fail.
    elapsed: () => now - start + 7,
    jump(ms) {
      jumped += ms
    },
    setTimeout(task, delayMs): Timer {
      const timer = { at: now + delayMs, task }
      timers.push(timer)
      return { cancel: () => (timers = timers.filter((other) => other !== timer)) }
    },
    advance(ms) {
      now += ms
      const due = timers.filter(({ at }) => at <= now).toSorted((left, right) => left.at - right.at)
      timers = timers.filter(({ at }) => at > now)
      for (const { task } of due) task()
    },
  }
}

/**
 * Two stations of one company, small enough to read: project 集团 > 公司 > station 一号站 > area 东区 >
 * building 十号楼 and 二号楼 (units, households) and station 二号站 > area 西区 > building 三号楼.
 */
export function createRegistry(tenant = 'demo'): RegistryFile {
  const nodes: RegistryFile['nodes'] = [
    { key: 'p', parent: null, kind: 'project', level: 1, name: '集团' },
    { key: 'c', parent: 'p', kind: 'group', level: 2, name: '公司' },
    { key: 's1', parent: 'c', kind: 'group', level: 4, name: '一号站', stype: 's' },
    { key: 'a1', parent: 's1', kind: 'group', level: 5, name: '东区' },
    { key: 'b10', parent: 'a1', kind: 'sub-user', level: 6, name: '十号楼' },
    { key: 'b2', parent: 'a1', kind: 'sub-user', level: 6, name: '二号楼' },
    { key: 's2', parent: 'c', kind: 'group', level: 4, name: '二号站' },
    { key: 'a2', parent: 's2', kind: 'group', level: 5, name: '西区' },
    { key: 'b3', parent: 'a2', kind: 'sub-user', level: 6, name: '三号楼' },
  ]
  const devices: RegistryFile['devices'] = []
  for (const building of ['b2', 'b10', 'b3']) {
    devices.push(toDevice(`C-${building}`, 'concentrator', building, null))
    for (const unit of [1, 2]) {
      const key = `${building}u${unit}`
      nodes.push({ key, parent: building, kind: 'address', level: 7, name: `${unit}单元` })
      nodes.push({ key: `${key}h`, parent: key, kind: 'address', level: 8, name: '101', areaM2: 90 })
      devices.push(toDevice(`V-${key}`, 'valve', key, `C-${building}`))
      devices.push(toDevice(`R-${key}`, 'room-sensor', `${key}h`, `C-${building}`))
    }
  }
  return { v: 1, company: { tenant, name: '示范供热', timeZone: 'Asia/Shanghai' }, nodes, devices }
}

/** The same as `createRegistry` for another company beside it: the same serials, below nodes with other keys. */
export function createRegistryBeside(tenant: string): RegistryFile {
  const { company, nodes, devices, ...rest } = createRegistry(tenant)
  const toKey = (key: string) => `${tenant}-${key}`
  return {
    ...rest,
    company: { ...company, name: tenant },
    nodes: nodes.map(({ key, parent, name, ...node }) => ({
      ...node,
      key: toKey(key),
      parent: parent === null ? null : toKey(parent),
      name: parent === null ? tenant : name,
    })),
    devices: devices.map(({ node, ...device }) => ({ ...device, node: toKey(node) })),
  }
}

function toDevice(
  serial: string,
  kind: 'valve' | 'room-sensor' | 'concentrator',
  node: string,
  concentrator: string | null,
): RegistryFile['devices'][number] {
  const limits = kind === 'valve' ? { limits: { minPct: 10, maxPct: 90 } } : {}
  return { serial, kind, name: serial, model: 'T1', node, concentrator, periodS: 60, ...limits }
}

export interface TestCore extends Core {
  readonly clock: TestClock
  /** Id of a node of the registry by its key in the file. */
  nodeId(key: string): Promise<number>
  /** Node key of a node by its key in the file: a number or a uuid. */
  nodeKey(key: string): Promise<string>
  pathOf(key: string): Promise<string>
  deviceId(serial: string): Promise<number>
  /**
   * Creates an account with its own role and the given nodes. The password is its name. A provider account sees
   * everything.
   */
  createAccount(
    account: string,
    permissions: readonly Permission[],
    nodeKeys: readonly string[],
    kind?: 'company' | 'provider',
  ): Promise<number>
  close(): Promise<void>
}

export function createTestConfig(settings: Readonly<Record<string, string>>): Config {
  return readConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
    ISOTHERM_MQTT_SECRET: 'secret-of-the-tests',
    ISOTHERM_MQTT_PORT: '0',
    ISOTHERM_PORT: '0',
    ISOTHERM_MODE: 'demo',
    ISOTHERM_LOG_LEVEL: 'silent',
    ...settings,
  })
}

const testLog = createLog({ logLevel: 'silent' })

export interface TestCoreOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** Undefined imports the small registry, null imports none. */
  readonly registry?: RegistryFile | null
}

/** A fast hash: a hash contains its cost, and a check costs the same. Tests sign in often. */
const hashCheaply = (password: string): Promise<string> =>
  hash(toClientHash(password), { memoryCost: 8, timeCost: 1 })

/** Functions that read and create test data in a core's database. */
export function createFixtures({ db }: Pick<Core, 'db'>) {
  const findNode = (key: string) =>
    db.selectFrom('node').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
  return {
    nodeId: async (key: string) => (await findNode(key)).id,
    pathOf: async (key: string) => (await findNode(key)).path,
    async nodeKey(key: string) {
      const { id, uuid } = await findNode(key)
      return uuid ?? String(id)
    },
    async deviceId(serial: string) {
      const found = db.selectFrom('device').select('id').where('serial', '=', serial)
      return (await found.executeTakeFirstOrThrow()).id
    },
    async createAccount(
      account: string,
      permissions: readonly Permission[],
      nodeKeys: readonly string[],
      kind: 'company' | 'provider' = 'company',
    ) {
      const passwordHash = await hashCheaply(account)
      const company = await db.selectFrom('company').select('id').orderBy('id').limit(1).executeTakeFirst()
      const belongs =
        kind === 'company' && company
          ? { company_id: company.id }
          : ({ kind: 'provider', sees_all: kind === 'provider' } as const)
      const { id } = await db
        .insertInto('account')
        .values({ account, name: account, password_hash: passwordHash, p_account: 'test', ...belongs })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('role_code')
        .values({ code: 1000 + id, name: account })
        .execute()
      const role = await db
        .insertInto('role')
        .values({ key: account, name: account, code: 1000 + id })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('account_role').values({ account_id: id, role_id: role.id }).execute()
      const granted = permissions.map((permission) => ({ role_id: role.id, permission }))
      if (granted.length > 0) await db.insertInto('role_permission').values(granted).execute()
      for (const key of nodeKeys) {
        const node = await findNode(key)
        await db.insertInto('account_node').values({ account_id: id, node_id: node.id }).execute()
      }
      return id
    },
  }
}

/**
 * Imports a registry and waits until its devices are in the directory, which reads them when signals announce them. A server of
 * other companies does not read them.
 */
export async function importAndWait(
  { db, devices, config }: Pick<Core, 'db' | 'devices' | 'config'>,
  registry: RegistryFile,
) {
  await importRegistry(db, registry)
  if (!servesTenant(config.cell, registry.company.tenant)) return
  const { directory } = devices
  await vi.waitFor(
    () => {
      const missing = registry.devices.filter(
        ({ serial }) => !directory.find(registry.company.tenant, serial),
      )
      if (missing.length > 0) throw new Error(`the directory has not read ${missing[0]?.serial}`)
    },
    { timeout: 20_000, interval: 5 },
  )
}

/** A core with its own database and a test clock. */
export async function createTestCore({ settings = {}, registry }: TestCoreOptions = {}): Promise<TestCore> {
  const database = await createCoreDatabase()
  const clock = createTestClock()
  const config = createTestConfig({ DATABASE_URL: database.url, ...settings })
  const core = await createCore({ config, log: testLog, clock })
  if (registry !== null) await importAndWait(core, registry ?? createRegistry())
  return {
    ...core,
    ...createFixtures(core),
    clock,
    async close() {
      await core.signals.close()
      await core.clickhouse.close()
      await core.db.destroy()
      await database.drop()
    },
  }
}
