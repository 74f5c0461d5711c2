import { setTimeout as pause } from 'node:timers/promises'
import { permissions } from '@isotherm/contract/access/permissions'
import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { migratePostgres } from '../../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../../platform/log.ts'
import { createTestOperation } from '../../platform/operation/operation.testkit.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { createWideRegistry, startCommandsBench, toReply } from '../commands/commands.testkit.ts'
import type { Commands } from '../commands/index.ts'
import { createFieldReader, createFindMetric } from './field.ts'
import { irrigationMigrations } from './migrations.pg.ts'
import { type RunnerNeeds, tickSource } from './run/tick.ts'
import { createFindTrusted, type FindAnyReading } from './sensors/trusted-readings.ts'
import { watchUnmeasured } from './sensors/unmeasured.ts'
import { createIrrigationService } from './service.ts'
import { createSettingsService } from './settings/settings-service.ts'
import { createSettingsWriter } from './settings/settings-writer.ts'
import { type IrrigationFault, listFaults, listMeasured } from './storage/faults.pg.ts'
import { listLongestOpenings } from './storage/sources.pg.ts'

const log = createLog({ logLevel: 'silent' })
const everything = { companyId: undefined, permissions: new Set(permissions), scope: scopeOfEverything }
const FLOW_M3H = 6
/** Sensors of their own: a flow meter, one of pressure, a rain gauge, two soil probes, and one elsewhere. */
const sensorSerials = ['F1', 'K1', 'R1', 'M1', 'M2', 'X1']

/** A valve of the test field, and what the field does to it. */
interface FieldValve {
  openingPct: number
  /** When it closes by itself, Unix ms. */
  closesAt: number
  /** Longest time of its last open command, s. */
  maxSec: number | undefined
  isStuck: boolean
  /** No reading of it arrives: what it reported before stays its newest. */
  isSilent: boolean
  /** Share of the expected flow. */
  flowShare: number
}

/** The pump house of the test field, as its controller reports it. */
export interface FieldHouse {
  /** Valve before all others, if the field has one. */
  master: string | undefined
  /** The well has no water. */
  isDry: boolean
  /** The pump runs although nothing is open. */
  isPumpStuck: boolean
  /** Flow that reaches no valve, m³/h: always, and while something is open. */
  leakM3H: number
  brokenM3H: number
  /** Pressure before the pump, kPa. */
  inletKpa: number
  /** Its meter has died: the flow that it reported last stays the newest. */
  isMeterDead: boolean
  /** Quality bits of what the controller and the sensors report. */
  quality: number
}
const SOUND: FieldHouse = {
  master: undefined,
  isDry: false,
  isPumpStuck: false,
  leakM3H: 0,
  brokenM3H: 0,
  inletKpa: 50,
  isMeterDead: false,
  quality: 0,
}

/**
 * Irrigation on a real database with real commands. Valves answer at once, unless they are stuck, and close by themselves
 * after the time of their command. Time passes only by `pass`.
 */
export async function startIrrigationBench() {
  const wide = createWideRegistry(1, 6)
  // Valves of heating must not close below 10 %; those of irrigation do.
  const valveDevices = wide.devices.map((device) =>
    device.kind === 'valve' ? { ...device, limits: { minPct: 0, maxPct: 100 } } : device,
  )
  const house = { serial: 'P1', kind: 'station' as const, name: '泵站', model: 'p', periodS: 5 }
  const sensors = sensorSerials.map((serial) => ({
    ...house,
    serial,
    name: serial,
    kind: 'sensor' as const,
    // The last one is outside of the pump house.
    node: serial === 'X1' ? 'n3' : 'n4',
    concentrator: 'C1',
  }))
  const devices = [...valveDevices, { ...house, node: 'n4', concentrator: 'C1' }, ...sensors]
  const bench = await startCommandsBench(
    { ...wide, devices },
    undefined,
    (db) => (deviceIds) => listLongestOpenings(db, deviceIds),
  )
  const { db, clock, registered } = bench
  await migratePostgres(db, [irrigationMigrations], log)
  let commands: Commands = await bench.start()
  const company = await db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  const account = await db
    .insertInto('account')
    .values({
      account: 'keeper',
      name: '灌溉',
      password_hash: '',
      p_account: '',
      kind: 'company',
      company_id: company.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const call = () => ({
    ...createTestCall({ accountId: account.id, account: 'keeper', ...everything }),
    operation: createTestOperation({ account: 'keeper' }),
  })
  const serials = [1, 2, 3, 4, 5, 6].map((number) => `C1V${number}`)
  const ids = new Map([...serials, ...sensorSerials].map((serial) => [serial, bench.idOf(serial)]))
  const valves = new Map(
    serials.map((serial): [string, FieldValve] => [
      serial,
      {
        openingPct: 0,
        closesAt: Number.POSITIVE_INFINITY,
        maxSec: undefined,
        isStuck: false,
        isSilent: false,
        flowShare: 1,
      },
    ]),
  )
  const stationId = bench.idOf('P1')
  const pumpHouse: FieldHouse = { ...SOUND }
  const flowOf = (serial: string, { openingPct, flowShare }: FieldValve): number => {
    const isShutOff = pumpHouse.master !== undefined && (valves.get(pumpHouse.master)?.openingPct ?? 0) === 0
    return serial === pumpHouse.master || isShutOff || pumpHouse.isDry
      ? 0
      : (openingPct / 100) * FLOW_M3H * flowShare
  }
  /** What the controller of the pump house reports. */
  function readHouse(): Readonly<Record<string, number>> {
    const flows = [...valves].map(([serial, valve]) => flowOf(serial, valve))
    const sum = flows.reduce((total, flow) => total + flow, 0)
    const isOpen = [...valves.values()].some(({ openingPct }) => openingPct > 0)
    return {
      'heat.flow': sum + pumpHouse.leakM3H + (sum > 0 ? pumpHouse.brokenM3H : 0),
      'pump.speed': isOpen || pumpHouse.isPumpStuck ? 100 : 0,
      'pressure.return': pumpHouse.inletKpa,
    }
  }
  /** Newest values by device and metric, each with its own instant, as the server keeps them. */
  const readings = new Map<string, NonNullable<ReturnType<FindAnyReading>>>()
  const findAny: FindAnyReading = (deviceId, metric) => readings.get(`${deviceId} ${metric}`)
  const findReading = createFindTrusted(findAny)
  const findMetric = createFindMetric(findReading)
  /** A device reports values at an instant. */
  function note(deviceId: number, ts: number, values: Readonly<Record<string, number>>, quality = 0): void {
    for (const [metric, value] of Object.entries(values))
      readings.set(`${deviceId} ${metric}`, { value, ts, quality })
  }
  function noteValve(serial: string, ts: number): void {
    const valve = valves.get(serial)
    if (!valve || valve.isSilent) return
    note(ids.get(serial) ?? 0, ts, {
      'heat.flow': flowOf(serial, valve),
      'valve.opening': valve.openingPct,
    })
  }
  /** All devices report. */
  function report(): void {
    const ts = clock.now()
    for (const serial of serials) noteValve(serial, ts)
    const { 'heat.flow': flow = 0, ...others } = readHouse()
    const { quality, isMeterDead, inletKpa } = pumpHouse
    note(ids.get('F1') ?? 0, ts, { 'heat.flow': flow }, quality)
    note(ids.get('K1') ?? 0, ts, { 'pressure.supply': inletKpa }, quality)
    note(stationId, ts, isMeterDead ? others : { ...others, 'heat.flow': flow }, quality)
  }
  const findAccess: RunnerNeeds['findAccess'] = async () => everything
  let rights: RunnerNeeds['findAccess'] = findAccess

  function createNeeds() {
    const field = createFieldReader({
      clock,
      log,
      directory: registered.directory,
      findMetric,
      readWeather: async () => [],
      readForecast: async () => [],
    })
    const network = { resolveNodes: async () => ['/'] }
    const needs = {
      db,
      clock,
      log,
      network,
      commands: commands.service,
      findMetric,
      findReading,
      hasReported: (id: number, metric: string) => findAny(id, metric) !== undefined,
      field,
      wake: () => {},
    }
    const irrigation = createIrrigationService(needs)
    return {
      runner: {
        ...needs,
        findAccess: (id: number) => rights(id),
        findPeriodS: (id: number) => registered.directory.findById(id)?.periodS,
      },
      irrigation,
      settings: createSettingsService({
        ...needs,
        writer: createSettingsWriter({ ...needs, devices: registered.service }),
        irrigation,
      }),
    }
  }
  let running = createNeeds()
  let worker = 'w1'
  let answered = 0

  /** The field answers what was published since. */
  async function answer(): Promise<void> {
    for (; answered < bench.published.length; answered++) {
      const { body } = bench.published[answered] ?? {}
      const { id, dev, args } = body as {
        id: string
        dev: string
        args: { opening: number; maxSec?: number }
      }
      const valve = valves.get(dev)
      if (!valve) continue
      const from = { tenant: 'test', gateway: 'C1' }
      const now = clock.now()
      if (args.opening > 0) valve.maxSec = args.maxSec
      if (!valve.isStuck) {
        valve.openingPct = args.opening
        // A command arrives a second after it was sent.
        const closesAt = now + 1_000 + (args.maxSec ?? 0) * 1000
        valve.closesAt = args.opening > 0 && args.maxSec ? closesAt : Number.POSITIVE_INFINITY
      }
      const code = valve.isStuck ? 500 : 0
      await commands.acceptReply(from, toReply(id, dev, 'done', code, now))
      if (valve.isSilent) continue
      noteValve(dev, now + 1)
      commands.observeOpening({ deviceId: ids.get(dev) ?? 0, ts: now + 1, openingPct: valve.openingPct })
    }
  }

  /** Waits until no command is open, at an unchanged clock. */
  async function settle(): Promise<void> {
    // On a busy machine an answer takes a second.
    for (let left = 4_000; left > 0; left--) {
      await answer()
      const open = await db.selectFrom('command').select('id').where('deadline_ms', 'is not', null).execute()
      if (open.length === 0) return
      await pause(10)
    }
    throw new Error('commands stay open')
  }

  const source = async (id: number): Promise<IrrigationSource> => running.irrigation.get(call().caller, id)

  return {
    db,
    clock,
    valves,
    house: pumpHouse,
    stationId,
    registry: registered.changes,
    published: bench.published,
    call,
    idOf: (serial: string) => ids.get(serial) ?? 0,
    get irrigation() {
      return running.irrigation
    },
    get settings() {
      return running.settings
    },
    source,
    settle,
    /** Orders of users from the page of valves. */
    get commands() {
      return commands.service
    },
    /** Lets seconds pass, tick by tick. `watched` is false while no server runs. */
    async pass(seconds: number, stepS = 5, watched = true): Promise<void> {
      for (let left = seconds; left > 0; left -= stepS) {
        clock.shiftMs += Math.min(stepS, left) * 1000
        for (const valve of valves.values()) {
          if (valve.closesAt > clock.now() || valve.isStuck) continue
          valve.openingPct = 0
          valve.closesAt = Number.POSITIVE_INFINITY
        }
        report()
        if (!watched) continue
        const sources = await db.selectFrom('irrigation_source').select('id').execute()
        for (const one of sources) await tickSource(running.runner, one.id, worker)
        await settle()
        for (const one of sources) await tickSource(running.runner, one.id, worker)
      }
    },
    /** A device reports a value now. */
    note: (serial: string, metric: string, value: number) =>
      note(ids.get(serial) ?? 0, clock.now(), { [metric]: value }),
    /** Faults that raise alarms. */
    async listFaults(): Promise<readonly IrrigationFault[]> {
      const listUnmeasured = watchUnmeasured({ findReading, findPeriodS: () => undefined })
      return [...(await listFaults(db, clock.now())), ...listUnmeasured(await listMeasured(db), clock.now())]
    },
    /** What the runner uses. */
    get runner() {
      return running.runner
    },
    /** Ends the modules without their say, and starts them anew. */
    async restart(): Promise<void> {
      await commands.close()
      commands = await bench.start()
      worker = `${worker}+`
      running = createNeeds()
    },
    setRights(isAllowed: boolean) {
      rights = isAllowed ? findAccess : async () => undefined
    },
    async clear(): Promise<void> {
      await db.deleteFrom('irrigation_source').execute()
      await settle()
      await db.deleteFrom('valve_hold').execute()
      await db
        .updateTable('device')
        .set({ min_opening_pct: 0, max_opening_pct: 100 })
        .where('kind', '=', 'valve')
        .execute()
      for (const valve of valves.values())
        Object.assign(valve, {
          openingPct: 0,
          isStuck: false,
          isSilent: false,
          flowShare: 1,
          maxSec: undefined,
        })
      Object.assign(pumpHouse, SOUND)
      report()
      rights = findAccess
    },
    async close(): Promise<void> {
      await commands.close()
      await bench.close()
    },
  }
}

export type IrrigationBench = Awaited<ReturnType<typeof startIrrigationBench>>
