import { registryFile } from '@isotherm/contract/network/registry-file'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { isImei } from '@isotherm/kernel/imei'
import { beforeEach, expect, it } from 'vitest'
import { createField, type Field } from '../../field/field.ts'
import { readTruth } from '../../runtime/truth.ts'
import { createNamed, createScenario } from '../../scenarios/create-scenario.ts'
import { demoFirmware } from '../../scenarios/firmware.ts'
import { namedRecipes } from '../../scenarios/named-recipes.ts'
import type { Recipe } from '../../scenarios/recipe.ts'
import { toRegistryFile } from '../../scenarios/registry/registry.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import { createSmall } from '../../scenarios/small-scenario.testkit.ts'
import { type FieldGateway, isAwake } from './field-gateway.ts'

const NOW = 1_763_683_200_000
const PERIOD_S = 120
const scenario = createSmall({
  ownLinkShare: 0.5,
  firmware: { ...demoFirmware, ownLink: { periodS: PERIOD_S, awakeS: 10 } },
})

let field: Field
let gateway: FieldGateway
let nowMs: number

beforeEach(() => {
  field = createField(scenario, { boot: 7, nowMs: NOW, pace: { minMoveS: 1 }, warmUp: 'cold' })
  nowMs = NOW
  const own = field.gateways.find(({ ownLink }) => ownLink !== undefined)
  if (own === undefined) throw new Error('no valve has a link of its own')
  gateway = own
})

/** Advances both clocks by seconds. Returns the gateway's messages and the number of seconds it was awake. */
function live(seconds: number) {
  const replies: unknown[] = []
  const telemetry: { readonly seq: number; readonly ids: readonly string[] }[] = []
  let awakeS = 0
  for (let second = 0; second < seconds; second++) {
    nowMs += 1000
    const outgoing = field.step(nowMs, 1).find((each) => each.gateway === gateway)
    replies.push(...(outgoing?.replies ?? []))
    for (const { seq, d } of outgoing?.telemetry ?? []) telemetry.push({ seq, ids: d.map(({ id }) => id) })
    if (isAwake(gateway, nowMs)) awakeS++
  }
  return { replies, telemetry, awakeS }
}

const order = (opening: number) => ({
  v: 1,
  id: `c${opening}`,
  dev: gateway.serial,
  do: 'valve.set',
  args: { opening },
  iat: nowMs,
  exp: nowMs + HOUR_MS,
  rev: opening,
})

it('gives own links to about the configured share; the registry lists them by IMEI, without a concentrator', () => {
  const { devices } = registryFile.parse(toRegistryFile(createNamed('nb-iot')))
  const valves = devices.filter(({ kind }) => kind === 'valve')
  const own = valves.filter(({ concentrator }) => concentrator === null)
  expect(own.length / valves.length).toBeGreaterThan(0.2)
  expect(own.length / valves.length).toBeLessThan(0.5)
  expect(new Set(valves.map(({ serial }) => serial)).size).toBe(valves.length)
  for (const { serial, imei, periodS } of own) {
    expect([isImei(serial), imei, periodS]).toEqual([true, serial, 600])
  }
  expect(devices.filter(({ kind }) => kind !== 'valve' && kind !== 'concentrator')).not.toContainEqual(
    expect.objectContaining({ concentrator: null }),
  )
})

it('is restored from a registry file: a valve without a concentrator has its own link', () => {
  const linksOf = ({ stations }: Scenario) =>
    stations.flatMap(({ units }) =>
      units.map(({ key, valveSerial, hasOwnLink }) => [key, valveSerial, hasOwnLink]),
    )
  const company: Recipe['company'] = { kind: 'registry', file: 'company.json' }
  const outcome = createScenario({ ...namedRecipes.demo, company, faults: [] }, toRegistryFile(scenario))
  if (outcome.kind === 'unusable') throw new Error(outcome.problems.join('; '))
  expect(linksOf(outcome.scenario)).toEqual(linksOf(scenario))
})

it('is its own gateway and numbers its messages; no concentrator reports for it', () => {
  const [concentrator] = field.concentrators
  expect(concentrator?.placeOf.has(gateway.serial)).toBe(false)
  const { telemetry } = live(3.5 * PERIOD_S)
  expect(telemetry.length).toBeGreaterThanOrEqual(2)
  expect(telemetry.map(({ seq }) => seq)).toEqual(telemetry.map((_, index) => index))
  for (const { ids } of telemetry) expect(ids).toEqual([gateway.serial])
  expect(field.gateways.length).toBe(new Set(field.gateways.map(({ serial }) => serial)).size)
})

it('is awake for some seconds after each report and otherwise asleep', () => {
  const { telemetry, awakeS } = live(6 * PERIOD_S)
  expect(awakeS).toBeGreaterThanOrEqual(10 * (telemetry.length - 1))
  expect(awakeS).toBeLessThanOrEqual(11 * telemetry.length)
})

it('runs a command while awake, stays awake until the move ends, and changes the flow', () => {
  while (!isAwake(gateway, nowMs)) live(1)
  const before = flowOf()
  expect(field.receive(gateway, order(10), nowMs)).toMatchObject([{ stage: 'accepted', code: 0, boot: 7 }])
  const { replies } = live(5)
  expect(isAwake(gateway, nowMs)).toBe(true)
  replies.push(...live(200).replies)
  expect(replies).toMatchObject([
    { stage: 'running', code: 0 },
    { stage: 'done', code: 0, res: { opening: 10 } },
  ])
  expect(flowOf()).toBeLessThan(before)
})

/** True flow through it, m³/h. */
function flowOf(): number {
  const units = readTruth(field).stations.flatMap((station) => station.units)
  const unit = units.find(({ valve }) => valve === gateway.serial)
  if (unit === undefined) throw new Error('no unit has it')
  return unit.flowM3h
}

it('shows the true opening of a valve without a concentrator', () => {
  const units = readTruth(field).stations.flatMap((station) => station.units)
  const unit = units.find(({ valve }) => valve === gateway.serial)
  expect(unit?.openingPct).toBeCloseTo(unit?.stemPct ?? 0, 9)
  expect(unit?.openingPct).toBeGreaterThan(20)
})

it('can get faults by its serial like any other device', () => {
  field.inject({ kind: 'offline', target: gateway.serial })
  expect(live(3 * PERIOD_S).telemetry).toEqual([])
})
