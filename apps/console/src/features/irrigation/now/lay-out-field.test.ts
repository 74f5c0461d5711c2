import type { IrrigationGroup, IrrigationSource, IrrigationStep } from '@isotherm/contract/irrigation'
import { expect, it } from 'vitest'
import { FIELD_WIDTH, layOutField } from './lay-out-field.ts'

const valve = (deviceId: number, longitudeDeg: number, latitudeDeg: number, openingPct?: number) => ({
  deviceId,
  deviceName: `${deviceId}`,
  flowM3H: 5,
  maxS: 600,
  position: { longitudeDeg, latitudeDeg },
  ...(openingPct === undefined ? {} : { openingPct }),
})
const group = (id: number, valves: IrrigationGroup['valves']): IrrigationGroup => ({
  id,
  version: 1,
  name: `${id}`,
  mode: 'parallel',
  valves,
  probes: [],
  silentProbes: [],
})
const runsWith = (state: IrrigationStep['state'], valveIds: number[]): IrrigationSource['runs'] => [
  {
    id: 1,
    sourceId: 1,
    sourceName: '',
    name: '',
    state: 'running',
    dueMs: 0,
    beganMs: 0,
    adjustPct: 100,
    conflicts: [],
    plannedM3: 1,
    isObserved: false,
    measuredM3: 0,
    volumeM3: 0,
    actor: '',
    steps: [
      {
        id: 1,
        groupId: 1,
        valveIds,
        flowM3H: 5,
        plannedMs: 0,
        plannedS: 60,
        state,
        volumeM3: 0,
        measuredM3: 0,
      },
    ],
  },
]

it('draws north at the top and east at the right, within the drawing', () => {
  const groups = [group(1, [valve(1, 123.1, 41.2)]), group(2, [valve(2, 123.2, 41.1)])]
  const { groups: drawn, height } = layOutField({ groups, runs: [] })
  const [one, other] = drawn
  expect(one?.x).toBeLessThan(other?.x ?? 0)
  expect(one?.y).toBeLessThan(other?.y ?? 0)
  for (const { x, y } of [one, other].flatMap((drawn) => drawn?.valves ?? [])) {
    expect(x > 0 && x < FIELD_WIDTH && y > 0 && y < height).toBe(true)
  }
})

it('is as high as the ground needs: a row of beds is a strip', () => {
  const row = [group(1, [valve(1, 123.1, 41.2)]), group(2, [valve(2, 123.2, 41.2)])]
  const square = [group(1, [valve(1, 123.1, 41.2)]), group(2, [valve(2, 123.2, 41.3)])]
  const [strip, field] = [layOutField({ groups: row, runs: [] }), layOutField({ groups: square, runs: [] })]
  expect(strip.height).toBeLessThan(100)
  expect(field.height).toBeGreaterThan(3 * strip.height)
})

it('puts valves of one position around it', () => {
  const groups = [group(1, [valve(1, 123.1, 41.2), valve(2, 123.1, 41.2), valve(3, 123.1, 41.2)])]
  const [drawn] = layOutField({ groups, runs: [] }).groups
  expect(new Set(drawn?.valves.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size).toBe(3)
  expect(drawn?.x).toBeCloseTo(FIELD_WIDTH / 2, 6)
})

it('keeps two groups of one position apart', () => {
  const at = (id: number) => valve(id, 123.1, 41.2)
  const { groups: drawn } = layOutField({
    groups: [group(1, [at(1), at(2)]), group(2, [at(3), at(4)])],
    runs: [],
  })
  const valves = drawn.flatMap((one) => one.valves)
  expect(new Set(valves.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size).toBe(4)
  expect(drawn[0]?.y).not.toBeCloseTo(drawn[1]?.y ?? 0, 3)
})

it('shows what a valve does: by its step first, then by its opening', () => {
  const groups = [group(1, [valve(1, 123.1, 41.2, 0), valve(2, 123.2, 41.2, 100), valve(3, 123.3, 41.2)])]
  const looks = (state: IrrigationStep['state']) =>
    layOutField({ groups, runs: runsWith(state, [1]) }).groups[0]?.valves.map(({ look }) => look)
  expect(looks('pending')).toEqual(['waiting', 'open', 'unknown'])
  expect(looks('closing')).toEqual(['moving', 'open', 'unknown'])
  expect(looks('stuck')).toEqual(['stuck', 'open', 'unknown'])
  expect(looks('closed')).toEqual(['closed', 'open', 'unknown'])
})

it('draws nothing without positions', () => {
  const { position: _, ...unplaced } = valve(1, 1, 1)
  expect(layOutField({ groups: [group(1, [unplaced])], runs: [] }).groups).toEqual([])
})
