import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, expect, it } from 'vitest'
import { rebootGateway } from '../devices/gateway/field-gateway.ts'
import { createField, type Field } from '../field/field.ts'
import { START_S } from '../plant/plant.ts'
import { demoFirmware } from '../scenarios/firmware.ts'
import type { Recipe } from '../scenarios/recipe.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { createSmall, small } from '../scenarios/small-scenario.testkit.ts'
import { restoreSnapshot, takeSnapshot } from './snapshot.ts'
import { readSnapshotFile, writeSnapshotFile } from './snapshot-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-twin-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NOW = 1_763_683_200_000
const VALVE = small.valve
const faulty: Partial<Recipe> = {
  floorShare: 0.5,
  firmware: { ...demoFirmware, awakeS: 8, ownLink: { periodS: 10, awakeS: 4 }, clockDriftPpm: 30 },
  faults: [
    { kind: 'frozen', target: small.otherValve, metric: 'temp.return' },
    { kind: 'spike', target: '11110000000301', metric: 'temp.supply', height: 20, share: 0.3 },
    { kind: 'private-pump', target: '11110000000402', headPa: 15_000, fromS: START_S + 700 },
  ],
}
const scenario = createSmall(faulty)

const start = (of: Scenario = scenario): Field =>
  createField(of, { boot: 1, nowMs: NOW, pace: { minMoveS: 60 }, warmUp: 'cold' })

const order = (id: string, opening: number, rev: number) => ({
  v: 1,
  id,
  dev: VALVE,
  do: 'valve.set',
  args: { opening },
  iat: NOW,
  exp: NOW + 600_000,
  rev,
})

/** Runs steps of half a second of wire time and half a minute of plant time. Returns all messages. */
function run(field: Field, from: number, to: number): unknown[] {
  const messages: unknown[] = []
  for (let tick = from; tick < to; tick++) {
    const at = NOW + tick * 500
    const [concentrator] = field.concentrators
    if (concentrator !== undefined && tick % 20 === 7) {
      messages.push(field.receive(concentrator, order(`c${tick}`, 20 + (tick % 60), tick), at))
    }
    for (const { replies, telemetry } of field.step(at, 30)) messages.push(replies, telemetry)
  }
  return messages
}

it('gives the same messages for the same seed in every run', () => {
  expect(run(start(), 0, 60)).toEqual(run(start(), 0, 60))
})

const ring = createSmall({ ...faulty, ringMains: true })
const radios = createSmall({ ...faulty, faults: [], ownLinkShare: 0.5 })

it.each([
  ['a tree', scenario],
  ['a mesh', ring],
  ['valves with a link of their own', radios],
] as const)(
  'continues bit for bit from a snapshot of %s, with motors, noise, faults, batteries and clocks',
  (_, of) => {
    const field = start(of)
    run(field, 0, 30)
    const path = join(folder, 'deep', 'twin.json')
    writeSnapshotFile(path, takeSnapshot(field, 1))
    const rest = run(field, 30, 90)
    const end = takeSnapshot(field, 1)

    const read = readSnapshotFile(path, of)
    if (read.kind !== 'snapshot') throw new Error(read.kind)
    const other = start(of)
    run(other, 0, 3)
    restoreSnapshot(read.snapshot, other)
    expect(run(other, 30, 90)).toEqual(rest)
    expect(takeSnapshot(other, 1)).toEqual(end)
    expect(JSON.stringify(rest)).toContain('"stage":"done"')
  },
)

it('finishes an interrupted move and then replies to its command, with message numbers of the new boot', () => {
  const before = start()
  run(before, 0, 40)
  const [concentrator] = before.concentrators
  if (concentrator === undefined) throw new Error('no station')
  const valve = concentrator.valves.get(VALVE)
  if (valve === undefined) throw new Error('no valve')
  valve.awakeUntilMs = NOW + MINUTE_MS
  before.receive(concentrator, order('last', 5, 999), NOW + 20_000)
  before.step(NOW + 20_000, 20)
  const after = start()
  restoreSnapshot(takeSnapshot(before, 1), after)
  for (const each of after.concentrators) rebootGateway(each, 2)
  const replies = after.step(NOW + 20_500, 500).flatMap((outgoing) => outgoing.replies)
  expect(replies).toMatchObject([
    { id: 'last', stage: 'done', code: 0, res: { opening: 5 }, boot: 2, seq: 0 },
  ])
})

it('reads a snapshot with the earlier names of its keys', () => {
  const path = join(folder, 'earlier.json')
  const saved = takeSnapshot(start(), 1)
  const earlier = JSON.stringify(saved)
    .replaceAll('"isRunningReported"', '"isRunningTold"')
    .replaceAll('"ownGateways"', '"ownNodes"')
    .replaceAll('"gateway"', '"node"')
  writeFileSync(path, earlier)
  expect(readSnapshotFile(path, scenario)).toEqual({ kind: 'snapshot', snapshot: saved })
})

it('reports why a snapshot cannot be used', () => {
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{"v":2')
  expect(readSnapshotFile(broken, scenario).kind).toBe('unusable')
  expect(readSnapshotFile(join(folder, 'absent.json'), scenario)).toEqual({ kind: 'none' })
  const foreign = join(folder, 'foreign.json')
  writeSnapshotFile(foreign, takeSnapshot(start(), 1))
  expect(readSnapshotFile(foreign, { ...scenario, seed: 5 }).kind).toBe('unusable')
})
