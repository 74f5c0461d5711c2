import { findAbort } from '@isotherm/balancing/plan/find-abort'
import { type CommandPriority, USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { createTestClickhouse } from '@isotherm/engines/testkit'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { openingRatio } from '@isotherm/kernel/quantities'
import { onTestFinished } from 'vitest'
import { createCore } from '../../apps/server/src/core.ts'
import { findTrimBase } from '../../apps/server/src/modules/balancing/campaign/storage/campaign-queries.pg.ts'
import { findCulprits } from '../../apps/server/src/modules/balancing/campaign/storage/culprits.pg.ts'
import type { Place } from '../../apps/server/src/modules/balancing/loop/place.ts'
import { createBalanceReader } from '../../apps/server/src/modules/balancing/now/balance-reader.ts'
import { createPlanner } from '../../apps/server/src/modules/balancing/plan/create-planner.ts'
import type { RoundPlan, Verification } from '../../apps/server/src/modules/balancing/plan/planner.ts'
import { findHoldPriorities } from '../../apps/server/src/modules/commands/holds/holds.pg.ts'
import { importRegistry } from '../../apps/server/src/modules/devices/import/import-registry.testkit.ts'
import { historyClickhouse } from '../../apps/server/src/modules/history/index.ts'
import { telemetryClickhouse } from '../../apps/server/src/modules/telemetry/index.ts'
import { createLatestValues } from '../../apps/server/src/modules/telemetry/latest/latest-values.ts'
import { laterMigrations } from '../../apps/server/src/modules.ts'
import { migrateClickhouse } from '../../apps/server/src/platform/clickhouse/migrate.ch.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import {
  createFixtures,
  createTestClock,
  createTestConfig,
} from '../../apps/server/src/testing/core.testkit.ts'
import { createCoreDatabase } from '../../apps/server/src/testing/core-database.testkit.ts'
import { createConcentrator } from '../../apps/twin/src/devices/gateway/create-gateways.ts'
import type { FieldGateway } from '../../apps/twin/src/devices/gateway/field-gateway.ts'
import { readChild } from '../../apps/twin/src/devices/gateway/read-child.ts'
import { advanceActuator, startMove } from '../../apps/twin/src/devices/models/valve-actuator.ts'
import { healthOf } from '../../apps/twin/src/devices/models/valve-device.ts'
import { createPlant, stepPlant } from '../../apps/twin/src/plant/plant.ts'
import { holdHead, moveStem } from '../../apps/twin/src/plant/station-plant.ts'
import { createScenario } from '../../apps/twin/src/scenarios/create-scenario.ts'
import { namedRecipes } from '../../apps/twin/src/scenarios/named-recipes.ts'
import type { Recipe } from '../../apps/twin/src/scenarios/recipe.ts'
import { toRegistryFile } from '../../apps/twin/src/scenarios/registry/registry.ts'
import type { Scenario } from '../../apps/twin/src/scenarios/scenario.ts'

const PERIOD_S = 300
const log = createLog({ logLevel: 'silent' })
const isMetric = (name: string): name is MetricName => Object.hasOwn(metrics, name)

/** Records of the company's mains: drawn on the map, or none (then pipes are assumed). */
type Archive = 'none' | 'drawn'

/**
 * A simulated company. Its devices write their readings into the real stores. The plant runs `factor` times as fast as the
 * clock; the functions take plant times, s.
 */
async function createTwinOnStores(scenario: Scenario, factor: number, archive: Archive) {
  const [database, clickhouse] = await Promise.all([
    createCoreDatabase(laterMigrations, 'server'),
    createTestClickhouse(),
  ])
  const clock = createTestClock()
  const config = createTestConfig({ DATABASE_URL: database.url, CLICKHOUSE_URL: clickhouse.url })
  const core = await createCore({ config, log, clock }, laterMigrations)
  await migrateClickhouse(core.clickhouse, [telemetryClickhouse, historyClickhouse], log)
  const file = toRegistryFile(scenario)
  await importRegistry(core.db, archive === 'drawn' ? file : { ...file, pipes: [] })
  const ids = new Map(
    (await core.db.selectFrom('device').select(['id', 'serial']).execute()).map(({ id, serial }) => [
      serial,
      id,
    ]),
  )
  const plant = createPlant(scenario)
  const gateways: FieldGateway[] = plant.stations.map((station) =>
    createConcentrator(station, {
      seed: scenario.seed,
      boot: 1,
      pace: { minMoveS: 0 },
      firmware: scenario.firmware,
      faults: plant.faults,
      nowMs: clock.now(),
    }),
  )
  const latest = createLatestValues()
  const away = new Set<number>()
  let seq = 0

  /** Current readings of every device that is not silent. */
  function report(): object[] {
    seq += 1
    const ts = new Date(clock.now()).toISOString()
    const rest = { ts, quality: 0, received: ts, node: 1, boot: 1, seq, months: 1, advance: 1 }
    return gateways.flatMap((gateway) =>
      gateway.children.flatMap((child) => {
        const device = ids.get(child.serial) ?? 0
        const shown = away.has(device) ? undefined : readChild(gateway, child, plant.simTimeS)
        const values = Object.entries(shown ?? {}).flatMap(([metric, value]) =>
          isMetric(metric) ? [{ metric, value, quality: 0 }] : [],
        )
        if (values.length > 0) latest.apply([{ deviceId: device, ts: clock.now(), quality: 0, values }])
        return values.map(({ metric, value }) => ({ device, metric: metrics[metric].id, value, ...rest }))
      }),
    )
  }

  /** Advances plant and devices by `durationS`; devices report every five minutes. */
  async function advance(durationS: number): Promise<void> {
    const rows: object[] = []
    for (let past = 0; past < durationS; past += PERIOD_S) {
      for (const gateway of gateways) {
        for (const valve of gateway.valves.values()) {
          advanceActuator(valve.actuator, plant.simTimeS + PERIOD_S, healthOf(valve, plant.faults))
          moveStem(gateway.plant, valve.index, openingRatio(valve.actuator.stem))
        }
      }
      stepPlant(plant, PERIOD_S)
      clock.advance((1000 * PERIOD_S) / factor)
      rows.push(...report())
    }
    await core.clickhouse.insert({ table: 'readings', values: rows, format: 'JSONEachRow' })
  }

  const needs = {
    db: core.db,
    clickhouse: core.clickhouse,
    clock,
    network: core.network,
    states: latest,
    presence: {
      find: (deviceId: number) => (away.has(deviceId) ? ('silent' as const) : ('present' as const)),
    },
    timeFactor: () => (factor === 1 ? undefined : factor),
    findHoldPriorities: (deviceIds: readonly number[]) => findHoldPriorities(core.db, deviceIds, clock.now()),
    listSwitchedOff: core.devices.listSwitchedOff,
    findTrimBase: (stationNodeId: number) => findTrimBase(core.db, stationNodeId),
    findCulprits: (stationNodeId: number, since: number) => findCulprits(core.db, stationNodeId, since),
    findInverted: async () => new Set<number>(),
  }

  return {
    ...createFixtures(core),
    plant,
    clock,
    advance,
    ids,
    away,
    factor,
    db: core.db,
    planner: createPlanner(needs),
    /** Plans for an account that may set pumps. */
    pumpPlanner: createPlanner({ ...needs, findPumpLimits: async () => USUAL_PUMP_LIMITS }),
    reader: createBalanceReader({ ...needs, log }),
    /** Holds a valve at its opening for an hour. */
    async hold(deviceId: number, priority: CommandPriority): Promise<void> {
      const [since_ms, until_ms] = [clock.now(), clock.now() + HOUR_MS]
      const by = { account_id: null, actor: 'test', reason: 'test', ended_ms: null, ended_why: null }
      const values = {
        device_id: deviceId,
        opening_pct: 50,
        priority,
        since_ms,
        until_ms,
        ended_by: null,
        ...by,
      }
      await core.db.insertInto('valve_hold').values(values).execute()
    },
    /** Moves a motor to an opening, %. */
    command(deviceId: number, openingPct: number): void {
      for (const gateway of gateways) {
        for (const valve of gateway.valves.values()) {
          if (ids.get(valve.serial) !== deviceId) continue
          startMove(valve.actuator, openingRatio(openingPct / 100), plant.simTimeS)
        }
      }
    },
    async close() {
      await core.signals.close()
      await core.clickhouse.close()
      await core.db.destroy()
      await Promise.all([database.drop(), clickhouse.drop()])
    },
  }
}

export type TwinOnStores = Awaited<ReturnType<typeof createTwinOnStores>>

/** Creates two stations of twenty units each, out of balance. Devices report every five minutes and have no faults. */
export function createTestCompany(changes: Partial<Recipe> = {}) {
  const { demo } = namedRecipes
  const outcome = createScenario({
    ...demo,
    name: 'planned',
    seed: 7,
    faults: [],
    firmware: {
      ...demo.firmware,
      periodS: { ...demo.firmware.periodS, valve: 300, station: 300, 'room-sensor': 300 },
    },
    company: {
      kind: 'made',
      tenant: 'heyuan',
      companyName: '和源',
      stations: 2,
      buildings: 10,
      units: 2,
      floors: 4,
      flatsPerFloor: 2,
      sensorEvery: 4,
      meters: true,
    },
    ...changes,
  })
  if (outcome.kind !== 'scenario') throw new Error(outcome.problems.join('; '))
  return outcome.scenario
}

export const HOUR_S = 3600
/** Balancing target of the tests. */
export const RETURN = { kind: 'temperature', target: 'return' } as const

/** Starts the test company and runs it for six hours, so that a plan has enough readings. */
export async function startTwin(
  changes: Partial<Recipe> = {},
  factor = 1,
  archive: Archive = 'none',
): Promise<TwinOnStores> {
  const twin = await createTwinOnStores(createTestCompany(changes), factor, archive)
  await twin.advance(6 * HOUR_S)
  return twin
}

/** Starts the test company with its first station; closes it after the current test. */
export async function startStation(changes: Partial<Recipe> = {}, factor = 1, archive: Archive = 'none') {
  const twin = await startTwin(changes, factor, archive)
  onTestFinished(() => twin.close())
  return { twin, place: await findStation(twin) }
}

/** Place of the company's first station. */
export const findStation = async (twin: TwinOnStores): Promise<Place> => {
  const station = twin.plant.stations[0]?.spec.key ?? ''
  return twin.planner.findPlace(await twin.nodeKey(station))
}

/** Sends the waves of a round like a campaign and lets the loop settle. Returns the reasons to abort, if any. */
export async function execute(twin: TwinOnStores, place: Place, plan: RoundPlan): Promise<unknown[]> {
  const reasons: unknown[] = []
  for (const step of plan.steps) {
    for (const { deviceId, toPct } of step.moves) twin.command(deviceId, toPct)
    const [station] = twin.plant.stations
    if (step.pump && station) holdHead(station, 1000 * step.pump.toKpa)
    await twin.advance(600)
    const since = twin.clock.now()
    await twin.advance(300)
    const seen = await twin.planner.observe(place, plan, since)
    const given = step.moves.length
    reasons.push(findAbort(plan, step, seen, { given, unanswered: 0 }))
  }
  await twin.advance((plan.settleMs / 1000) * twin.factor)
  return reasons.filter((reason) => reason !== undefined)
}

/** Verifies a settled round with the readings of one further hour. */
export async function verify(twin: TwinOnStores, place: Place, plan: RoundPlan): Promise<Verification> {
  const settledAt = twin.clock.now()
  await twin.advance(HOUR_S)
  return twin.planner.verify(place, RETURN, plan, settledAt)
}
