import { expect, it, test } from 'vitest'
import { createPlugPipes, type PlugPipes, plugHeat, stepPlugPipe } from './plug-pipes.ts'

/** 100 kg of water without loss: 1 kg/s crosses it in 100 s. */
const PER_KG = 4187
const still = { capacityJK: 100 * PER_KG, lossWK: 0, startC: 40 }
const GROUND_C = 10

/** Temperature, °C, and water, kg, of the parcels of a pipe from its outlet to its inlet. */
function listParcels(pipes: PlugPipes, pipe = 0): (readonly [number, number])[] {
  const { first, used, slots, parcelC, parcelJK } = pipes
  return Array.from({ length: used[pipe] ?? 0 }, (_, k) => {
    const slot = pipe * slots + (((first[pipe] ?? 0) + k) % slots)
    return [round(parcelC[slot] ?? Number.NaN), round((parcelJK[slot] ?? Number.NaN) / PER_KG)] as const
  })
}
const round = (value: number): number => Math.round(value * 1e9) / 1e9

/** Lets water of these temperatures in, °C and kg each, at 1 kg/s. */
function fill(pipes: PlugPipes, ...inflows: readonly (readonly [inletC: number, kg: number])[]): void {
  for (const [inletC, kg] of inflows) stepPlugPipe(pipes, 0, 1, inletC, GROUND_C, kg)
}

test('water enters as parcels behind those before, and leaves from the other end when the flow turns', () => {
  const pipes = createPlugPipes([still, still], 4)
  const step = (flow: number, inletC: number, stepS: number) =>
    stepPlugPipe(pipes, 1, flow, inletC, GROUND_C, stepS)
  expect(listParcels(pipes, 1)).toEqual([[40, 100]])
  expect(step(1, 50, 10)).toBeCloseTo(40, 9)
  expect(step(1, 60, 10)).toBeCloseTo(40, 9)
  expect(listParcels(pipes, 1)).toEqual([
    [40, 80],
    [50, 10],
    [60, 10],
  ])
  // 10 kg of 60 °C and 5 kg of 50 °C.
  expect(step(-1, 20, 15)).toBeCloseTo(850 / 15, 9)
  expect(listParcels(pipes, 1)).toEqual([
    [20, 15],
    [40, 80],
    [50, 5],
  ])
  expect(step(-1, 25, 5)).toBeCloseTo(50, 9)
  expect(listParcels(pipes, 1)).toEqual([
    [25, 5],
    [20, 15],
    [40, 80],
  ])
  // Forwards again: 5 kg of 25 °C, and 1 kg of 20 °C.
  expect(step(2, 70, 3)).toBeCloseTo(145 / 6, 9)
  expect(listParcels(pipes, 1)).toEqual([
    [20, 14],
    [40, 80],
    [70, 6],
  ])
  expect(plugHeat(pipes, 1) / PER_KG).toBeCloseTo(20 * 14 + 40 * 80 + 70 * 6, 6)
  // The other pipe has not changed.
  expect(listParcels(pipes, 0)).toEqual([[40, 100]])
  expect(plugHeat(pipes, 0) / PER_KG).toBeCloseTo(4_000, 6)
})

test('standing water has the temperature at the outlet: of the last parcel, or of the mixed part if there is one', () => {
  const pipes = createPlugPipes([still, { ...still, mixedJK: 20 * PER_KG }], 4)
  const stand = (pipe: number) => stepPlugPipe(pipes, pipe, 0, 70, GROUND_C, 60)
  fill(pipes, [60, 30])
  expect(stand(0)).toBe(40)
  stepPlugPipe(pipes, 0, -1, 25, GROUND_C, 10)
  expect(stand(0)).toBe(25)
  // 80 kg of 40 °C and 20 kg of 60 °C have reached the 20 kg that are mixed: 1 − e⁻¹ of the way to 60 °C.
  stepPlugPipe(pipes, 1, 1, 60, GROUND_C, 100)
  expect(stand(1)).toBeCloseTo(60 - 20 * Math.exp(-1), 9)
})

test('more water than the pipe holds leaves one parcel of the inflow', () => {
  const pipes = createPlugPipes([still], 4)
  fill(pipes, [50, 30])
  expect(stepPlugPipe(pipes, 0, 1, 60, GROUND_C, 400)).toBeCloseTo((70 * 40 + 30 * 50 + 300 * 60) / 400, 9)
  expect(listParcels(pipes)).toEqual([[60, 100]])
})

test.each([
  [
    'the last two: 10·10/20·10² is less than 70·10/80·10²',
    [
      [50, 10],
      [60, 10],
      [61, 10],
    ],
    [
      [40, 70],
      [55, 20],
      [61, 10],
    ],
  ],
  [
    'the first two: 70·10/80·1² is less than 10·10/20·19²',
    [
      [41, 10],
      [60, 10],
      [70, 10],
    ],
    [
      [40.125, 80],
      [60, 10],
      [70, 10],
    ],
  ],
  [
    'those that differ more but hold less: 9·1/10·6² is less than 89·9/98·4²',
    [
      [44, 9],
      [50, 1],
      [60, 1],
    ],
    [
      [40, 89],
      [44.6, 10],
      [60, 1],
    ],
  ],
] as const)(
  'if no place is left, the two neighbours that lose least are joined: %s',
  (_, inflows, parcels) => {
    const pipes = createPlugPipes([still], 3)
    fill(pipes, ...inflows)
    expect(listParcels(pipes)).toEqual(parcels)
  },
)

test('parcels behind the joined ones move up, around the end of the ring too', () => {
  const pipes = createPlugPipes([still], 4)
  // The pipe is emptied of its first water, so the ring begins at its second slot.
  fill(pipes, [41, 60], [55, 20], [70, 40])
  expect(listParcels(pipes)).toEqual([
    [41, 40],
    [55, 20],
    [70, 40],
  ])
  fill(pipes, [71, 10], [90, 10])
  expect(listParcels(pipes)).toEqual([
    [41, 20],
    [55, 20],
    [round((70 * 40 + 71 * 10) / 50), 50],
    [90, 10],
  ])
  fill(pipes, [80, 5])
  expect(listParcels(pipes)).toEqual([
    [round((41 * 15 + 55 * 20) / 35), 35],
    [round((70 * 40 + 71 * 10) / 50), 50],
    [90, 10],
    [80, 5],
  ])
})

it('loses C·ΔT·(1 − e^(−t·U/C)) of standing water, also after a step with flow', () => {
  const pipes = createPlugPipes([{ ...still, lossWK: 50 }], 4)
  fill(pipes, [40, 10])
  const before = plugHeat(pipes, 0)
  const decay = Math.exp((-50 * 3_600) / still.capacityJK)
  const excess = before / still.capacityJK - GROUND_C
  stepPlugPipe(pipes, 0, 0, 99, GROUND_C, 3_600)
  expect(pipes.lostW[0]).toBeCloseTo((still.capacityJK * excess * (1 - decay)) / 3_600, 6)
  expect(plugHeat(pipes, 0)).toBeCloseTo(still.capacityJK * (GROUND_C + excess * decay), 3)
})

it('counts less than 1e-12 of its water in a step as no flow', () => {
  const pipes = createPlugPipes([still], 4)
  // 1e-10 kg of 100 kg are that share.
  expect(stepPlugPipe(pipes, 0, 0.9e-10, 60, GROUND_C, 1)).toBe(40)
  expect(listParcels(pipes)).toHaveLength(1)
  stepPlugPipe(pipes, 0, 1.1e-10, 60, GROUND_C, 1)
  expect(listParcels(pipes)).toHaveLength(2)
})

it('counts a flow above a million kg/s as a million, and temperatures beyond absolute zero and 1000 °C as these', () => {
  const large = { capacityJK: 1e7 * PER_KG, lossWK: 0, startC: 40 }
  const pipes = createPlugPipes([large], 4)
  stepPlugPipe(pipes, 0, 1e9, 5_000, GROUND_C, 1)
  expect(listParcels(pipes)).toEqual([
    [40, 9e6],
    [1_000, 1e6],
  ])
  stepPlugPipe(pipes, 0, -1e9, -300, GROUND_C, 1)
  expect(listParcels(pipes)[0]).toEqual([-273.15, 1e6])
  const cold = createPlugPipes([{ ...large, lossWK: 1e14 }], 4)
  expect(stepPlugPipe(cold, 0, 0, 40, -1_000, 1e6)).toBeCloseTo(-273.15, 9)
  expect(stepPlugPipe(cold, 0, 0, 40, 4_000, 1e6)).toBeCloseTo(1_000, 9)
})

test.each([
  ['capacity', 'capacityJK', [0, -1, 1e15, Number.NaN]],
  ['loss', 'lossWK', [-1, 1e15, Number.NaN]],
] as const)('a pipe with a %s outside its range is refused by its number', (_, name, refused) => {
  for (const value of refused)
    expect(() => createPlugPipes([still, { ...still, [name]: value }])).toThrow(
      /^pipe 1: a capacity of .* W\/K$/,
    )
})

test('a pipe has at least two parcels, a whole number', () => {
  for (const slots of [1, 2.5, Number.NaN])
    expect(() => createPlugPipes([still], slots)).toThrow(`of ${slots} parcels`)
  const { slots, used, count, lossWK } = createPlugPipes([still, { ...still, lossWK: 3 }], 2)
  expect([slots, [...used], count, [...lossWK]]).toEqual([2, [1, 1], 2, [0, 3]])
})

it('loses what enters and neither leaves nor stays, also if more water passes than the pipe holds', () => {
  const pipes = createPlugPipes([{ ...still, lossWK: 500 }], 4)
  for (const stepS of [50, 400, 3_600]) {
    const before = plugHeat(pipes, 0)
    const out = stepPlugPipe(pipes, 0, 1, 60, GROUND_C, stepS)
    const lost = PER_KG * (60 - out) - (plugHeat(pipes, 0) - before) / stepS
    expect(lost).toBeGreaterThan(1_000)
    expect((pipes.lostW[0] ?? Number.NaN) / lost).toBeCloseTo(1, 9)
  }
})
