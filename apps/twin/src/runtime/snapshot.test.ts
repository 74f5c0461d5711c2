import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '@isotherm/kernel/random'
import { afterAll, expect, it } from 'vitest'
import { createConcentrator, receiveCommand, runMotors } from '../devices/concentrator.ts'
import { createPlant, stepPlant } from '../plant/plant.ts'
import { createDemoCompany, DEMO_SEED } from '../scenarios/demo-company.ts'
import { restoreSnapshot, takeSnapshot } from './snapshot.ts'
import { readSnapshotFile, writeSnapshotFile } from './snapshot-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-twin-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NOW = 1_763_683_200_000
const VALVE = '11110000100101'
const command = (id: string, opening: number, rev: number) => ({
  v: 1,
  id,
  dev: VALVE,
  do: 'valve.set',
  args: { opening },
  iat: NOW,
  exp: NOW + 60_000,
  rev,
})

function start() {
  const plant = createPlant(createDemoCompany(), 'cold')
  const concentrators = plant.stations.map((station) =>
    createConcentrator(station, { seed: DEMO_SEED, boot: 1, minMoveS: 120, noise: createRandom(1) }),
  )
  const [first] = concentrators
  if (first === undefined) throw new Error('the demo has no station')
  return { plant, concentrators, first }
}

it('brings rooms, water, valves, registers and remembered commands back after a restart', () => {
  const before = start()
  receiveCommand(before.first, command('c1', 42, 3), NOW, before.plant.simTimeS)
  stepPlant(before.plant, 600)
  runMotors(before.first, NOW, before.plant.simTimeS)
  stepPlant(before.plant, 600)
  const path = join(folder, 'deep', 'twin.json')
  writeSnapshotFile(path, takeSnapshot(before.plant, before.concentrators, 9))

  const read = readSnapshotFile(path, DEMO_SEED)
  if (read.kind !== 'snapshot') throw new Error(read.kind)
  expect(read.snapshot.boot).toBe(9)
  const after = start()
  restoreSnapshot(read.snapshot, after.plant, after.concentrators)
  expect(after.plant.simTimeS).toBe(before.plant.simTimeS)
  expect(takeSnapshot(after.plant, after.concentrators, 9)).toEqual(read.snapshot)
  expect(receiveCommand(after.first, command('c1', 42, 3), NOW, 0)).toMatchObject([
    { stage: 'done', code: 0 },
  ])
})

it('finishes a move that a stop interrupted and then answers its command', () => {
  const before = start()
  receiveCommand(before.first, command('c1', 90, 1), NOW, before.plant.simTimeS)
  runMotors(before.first, NOW, before.plant.simTimeS + 40)
  const after = start()
  restoreSnapshot(takeSnapshot(before.plant, before.concentrators, 1), after.plant, after.concentrators)
  const replies = runMotors(after.first, NOW, after.plant.simTimeS + 500)
  expect(replies).toMatchObject([{ id: 'c1', stage: 'done', code: 0, res: { opening: 90 } }])
})

it('says why a snapshot cannot be used', () => {
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{"v":1')
  expect(readSnapshotFile(broken, DEMO_SEED).kind).toBe('unusable')
  expect(readSnapshotFile(join(folder, 'absent.json'), DEMO_SEED)).toEqual({ kind: 'none' })
  const other = start()
  const foreign = join(folder, 'foreign.json')
  writeSnapshotFile(foreign, takeSnapshot(other.plant, other.concentrators, 1))
  expect(readSnapshotFile(foreign, 5).kind).toBe('unusable')
})
