import { createServer } from 'node:http'
import type { Permission } from '@isotherm/contract/access/permissions'
import {
  type AlarmNotice,
  type AlarmTestNotice,
  alarmNotice,
  alarmTestNotice,
  SIGNATURE_HEADER,
} from '@isotherm/contract/alarms/alarms'
import type { MetricName } from '@isotherm/contract/metrics'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { expect, vi } from 'vitest'
import { coreMigrations } from '../../core.ts'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { migratePostgres } from '../../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../../platform/log.ts'
import { createTestOperation } from '../../platform/operation/operation.testkit.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import { createTestCore } from '../../testing/core.testkit.ts'
import { readBody } from '../../testing/read-body.testkit.ts'
import { type Alarms, createAlarms, type ObservedFinding, type ObservedStop } from './index.ts'
import { alarmsMigrations } from './migrations.pg.ts'

const handling: readonly Permission[] = ['pr-rtalarm', 'pe-fmcontrol']

/** The first page of a list, and all open alarms that are not suppressed. */
export const firstPage = { page: 1, size: 100 }
export const everyAlarm = { nodes: [], filter: [], open: true, suppressed: false, limiter: firstPage }

/** The alarms module on a real database with a manual clock; can start several replicas. */
export async function startAlarmsBench(registry?: RegistryFile) {
  const core = await createTestCore(registry ? { registry } : {})
  const log = createLog({ logLevel: 'silent' })
  await migratePostgres(core.db, [...coreMigrations, alarmsMigrations], log)
  const { db, signals, clock, network } = core
  const { directory } = core.devices

  // The directory learns of the import by a signal.
  const [{ devices } = { devices: 0 }] = await db
    .selectFrom('device')
    .select((eb) => eb.fn.countAll<number>().as('devices'))
    .execute()
  await vi.waitUntil(() => [...directory.entries()].length === devices, { timeout: 20_000 })

  const running: Alarms[] = []
  const stop = async () => {
    for (const alarms of running.splice(0)) await alarms.close()
  }
  let findings: readonly ObservedFinding[] = []
  let stopped: readonly ObservedStop[] = []
  let reviews = 0
  const summary = { from: '2026-01-05', to: '2026-01-11', reports: [] }
  /** Starts a replica like a server after `downtimeMs`; the given devices are silent from the start. */
  async function start(silentFromStart: ReadonlySet<number> = new Set(), downtimeMs = 0): Promise<Alarms> {
    const alarms = createAlarms({
      db,
      signals,
      clock,
      log,
      directory,
      network,
      registry: new Registry(),
      findNewest: () => undefined,
      isPresent: (id) => !silentFromStart.has(id),
      findDowntimeMs: () => downtimeMs,
      async listFindings() {
        reviews += 1
        return findings
      },
      listStopped: async () => stopped,
      summarize: async () => summary,
      targetRules: { mayBeLocal: true, services: [] },
      channels: { sms: undefined, mail: undefined, timeZone: 'Asia/Shanghai' },
    })
    running.push(alarms)
    await alarms.start()
    return alarms
  }

  /** Advances the time so that all timers run. */
  function pass(seconds: number, stepMs = 2_000): void {
    for (let left = seconds * 1000; left > 0; left -= stepMs) clock.advance(Math.min(stepMs, left))
  }

  const idOf = (serial: string): number => {
    const entry = directory.find('demo', serial)
    if (!entry) throw new Error(`no ${serial}`)
    return entry.id
  }

  /** One live reading of a device. */
  function read(alarms: Alarms, serial: string, values: Partial<Record<MetricName, number>>): void {
    const device = directory.findById(idOf(serial))
    if (!device) throw new Error(`no ${serial}`)
    const given = Object.entries(values) as [MetricName, number][]
    alarms.observe([
      { device, ts: clock.now(), values: given.map(([metric, value]) => ({ metric, value, quality: 0 })) },
    ])
  }

  /** Stored alarms as sorted texts: kind, device or node, state and the alarm that suppresses them. */
  async function list(): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('alarm')
      .leftJoin('device', 'device.id', 'alarm.device_id')
      .leftJoin('node', 'node.id', 'alarm.node_id')
      .select(['alarm.kind', 'alarm.state', 'device.serial', 'node.name', 'alarm.suppressed_by'])
      .execute()
    return rows
      .map(
        (row) =>
          `${row.kind} ${row.serial ?? row.name} ${row.state}${row.suppressed_by === null ? '' : ' behind'}`,
      )
      .toSorted()
  }

  return {
    ...core,
    start,
    pass,
    idOf,
    /** Open findings in the store. */
    show(open: readonly ObservedFinding[]) {
      findings = open
    },
    /** Stops of balancing in the store. */
    showStopped(stops: readonly ObservedStop[]) {
      stopped = stops
    },
    /** How often findings were read; this is the last step of each start and each review. */
    countReviews: () => reviews,
    setPresence(alarms: Alarms, presence: 'present' | 'silent' | 'unknown', serials: readonly string[]) {
      alarms.observePresence(serials.map((serial) => ({ deviceId: idOf(serial), at: clock.now(), presence })))
    },
    list,
    /** Waits until the stored alarms match, advancing the time. */
    becomes: (expected: readonly string[]) =>
      expect
        .poll(() => {
          pass(2)
          return list()
        })
        .toEqual(expected.toSorted()),
    read,
    /** Makes a room cold: two readings an hour apart raise the alarm. */
    makeCold(alarms: Alarms, serial: string): void {
      read(alarms, serial, { 'temp.room': 15 })
      pass(3_600, 60_000)
      read(alarms, serial, { 'temp.room': 15 })
    },
    /** A new call of a user who handles alarms in a scope. */
    toCall: (scope: Scope = { kind: 'all' }, permissions = handling) => ({
      ...createTestCall({ account: 'handler', permissions: new Set(permissions), scope }),
      operation: createTestOperation({ account: 'handler' }),
    }),
    /** Closes all started replicas. */
    stop,
    /** Resets: no alarms, rules, silences and targets. */
    async clear() {
      stopped = []
      await sql`
        truncate alarm, alarm_event, alarm_delay, alarm_rule, alarm_silence, alarm_target, alarm_notice`.execute(
        db,
      )
    },
    async close() {
      await stop()
      await core.close()
    },
  }
}

export type AlarmsBench = Awaited<ReturnType<typeof startAlarmsBench>>

/** A received message. */
export interface Received {
  readonly notice: AlarmNotice
  readonly body: string
  readonly signature: string
  readonly key: string
}

/** A real HTTP server as a target. */
export async function startTestTarget() {
  const received: Received[] = []
  const tests: { readonly notice: AlarmTestNotice; readonly body: string; readonly signature: string }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    if (body === undefined) return
    const signature = String(request.headers[SIGNATURE_HEADER.toLowerCase()])
    const key = String(request.headers['x-isotherm-id'])
    const json: unknown = JSON.parse(body)
    const test = alarmTestNotice.safeParse(json)
    if (test.success) tests.push({ body, notice: test.data, signature })
    else received.push({ body, notice: alarmNotice.parse(json), signature, key })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/alarms`,
    received,
    /** Received test messages. */
    tests,
    /** Sets the status of later answers. */
    answerWith(next: number) {
      status = next
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
