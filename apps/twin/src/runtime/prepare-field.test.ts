import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { START_S } from '../plant/plant.ts'
import { createSmall } from '../scenarios/small-scenario.testkit.ts'
import { prepareField } from './prepare-field.ts'
import { takeSnapshot } from './snapshot.ts'
import { writeSnapshotFile } from './snapshot-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-twin-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NOW = 1_763_683_200_000
const scenario = createSmall()

function prepare(name: string) {
  const problems: string[] = []
  const prepared = prepareField(scenario, join(folder, name), 60, NOW, (problem) => problems.push(problem))
  return { ...prepared, problems }
}

it('warms up without a snapshot, with a boot number above all earlier ones', () => {
  const { field, boot, problems } = prepare('absent.json')
  expect(problems).toEqual([])
  expect(boot).toBe(NOW / 1000)
  expect(field.plant.simTimeS).toBe(START_S + 1)
})

it('continues from the snapshot, in the next boot', () => {
  const { field } = prepare('absent.json')
  field.step(NOW + 500, 7200)
  writeSnapshotFile(join(folder, 'left.json'), takeSnapshot(field, 41))
  const { boot, field: next, problems } = prepare('left.json')
  expect([problems, boot]).toEqual([[], 42])
  expect(next.plant.simTimeS).toBe(START_S + 7202)
  expect(next.concentrators.map(({ boot: of, telemetrySeq }) => [of, telemetrySeq])).toEqual([
    [42, 0],
    [42, 0],
  ])
})

it('warms up and reports why if the snapshot is of another plant; boot numbers never repeat', () => {
  const { field } = prepare('absent.json')
  const snapshot = takeSnapshot(field, 41)
  const [first, ...others] = snapshot.stations
  if (first === undefined) throw new Error('no station')
  const shorter = {
    ...snapshot,
    simTimeS: 5e6,
    stations: [{ ...first, numbers: first.numbers.slice(64) }, ...others],
  }
  writeSnapshotFile(join(folder, 'earlier.json'), shorter)
  const { boot, field: next, problems } = prepare('earlier.json')
  expect(problems).toEqual([expect.stringContaining('earlier.json is not used')])
  expect(boot).toBe(42)
  expect(next.plant.simTimeS).toBe(START_S + 1)
})
