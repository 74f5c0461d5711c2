import { compareNames } from '@isotherm/kernel/chinese-numerals'
import { isImei } from '@isotherm/kernel/imei'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GeneratedNode, listCompany } from './company.ts'
import { toAreaName, toStationName } from './names.ts'
import { planCompany } from './plan.ts'

const nodes = [...listCompany({ households: 20_000, seed: 1 })]
const devices = nodes.flatMap((node) => node.devices)
const isHousehold = ({ level }: GeneratedNode): boolean => level === 8
const count = (level: number): number => nodes.filter((node) => node.level === level).length

/** Each node with its parent. */
function listPlaced(): readonly {
  readonly node: GeneratedNode
  readonly parent: GeneratedNode | undefined
}[] {
  const above: GeneratedNode[] = []
  return nodes.map((node) => {
    while ((above.at(-1)?.level ?? 0) >= node.level) above.pop()
    const parent = above.at(-1)
    above.push(node)
    return { node, parent }
  })
}
const placed = listPlaced()

test('a company has exactly the requested number of households, whatever the seed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 0 }), (households, seed) => {
      const made = [...listCompany({ households, seed })]
      expect(made.filter(isHousehold)).toHaveLength(households)
    }),
    { numRuns: 20 },
  )
})

test('the same seed gives the same company, another seed another one', () => {
  const make = (seed: number) => JSON.stringify([...listCompany({ households: 500, seed })])
  expect(make(7)).toBe(make(7))
  expect(make(7)).not.toBe(make(8))
})

test('the numbers are realistic: about 2.3 devices per household, a valve per unit, a concentrator per building', () => {
  expect(devices.length / 20_000).toBeGreaterThan(2.1)
  expect(devices.length / 20_000).toBeLessThan(2.5)
  expect(count(7) / count(6)).toBeGreaterThan(2)
  expect(20_000 / count(7)).toBeGreaterThan(10)
  expect(20_000 / count(4)).toBeGreaterThan(600)
  expect(20_000 / count(4)).toBeLessThan(2_500)
  for (const { level, devices: own } of nodes) {
    if (level === 7) expect(own.map(({ kind }) => kind)).toEqual(['valve'])
    if (level === 4) expect(own.map(({ kind }) => kind)).toEqual(['concentrator', 'station', 'heat-meter'])
  }
})

test('serials, IMEIs, meter numbers and keys are unique, and IMEIs have valid check digits', () => {
  const isOnce = (values: readonly string[]): boolean => new Set(values).size === values.length
  const imeis = devices.flatMap(({ imei }) => imei ?? [])
  expect(isOnce(devices.map(({ serial }) => serial))).toBe(true)
  expect(isOnce(imeis)).toBe(true)
  expect(isOnce(devices.flatMap(({ meterNo }) => meterNo ?? []))).toBe(true)
  expect(isOnce(nodes.map(({ key }) => key))).toBe(true)
  expect(imeis.every(isImei)).toBe(true)
})

test('siblings have different names, are in tree order and have matching positions', () => {
  for (const siblings of Map.groupBy(placed, ({ parent }) => parent?.key).values()) {
    const names = siblings.map(({ node }) => node.name)
    expect(names).toEqual([...new Set(names)].toSorted(compareNames))
    expect(siblings.map(({ node }) => node.position)).toEqual(names.map((_, index) => index))
    expect(siblings.every(({ node }) => node.siblings === names.length)).toBe(true)
  }
})

test('names contain neither commas nor hyphens, so that keys and lists of names can be split', () => {
  expect(nodes.filter(({ name }) => /[,-]/.test(name))).toEqual([])
})

test('each device without its own connection has a concentrator of its building or station', () => {
  let link: string | undefined
  for (const device of devices) {
    if (device.kind === 'concentrator') link = device.serial
    else if (device.concentrator !== undefined) expect(device.concentrator).toBe(link)
    else expect(device.imei).toBeDefined()
  }
})

test('there is one test-marked user', () => {
  expect(nodes.filter(({ isTest }) => isTest).map(({ name, level }) => [name, level])).toEqual([
    ['测试用户', 6],
  ])
})

test('residential areas and stations of the largest company have distinct names', () => {
  const first = <Name>(toName: (index: number) => Name, length: number) =>
    new Set(Array.from({ length }, (_, index) => toName(index)))
  expect(first(toAreaName, 11_000).size).toBe(11_000)
  expect(first(toStationName, 5_000).size).toBe(5_000)
})

test('a million households are planned without generating their nodes', () => {
  const areas = planCompany(1_000_000, 1)
    .flatMap(({ districts }) => districts)
    .flatMap(({ stations }) => stations)
    .flatMap((station) => station.areas)
  expect(areas.reduce((sum, { households }) => sum + households, 0)).toBe(1_000_000)
})

test('stations, residential areas and buildings are on the map, buildings near their station', () => {
  const isPlaced = ({ level, isTest }: GeneratedNode): boolean => level >= 4 && level <= 6 && !isTest
  expect(nodes.filter((node) => (node.place !== undefined) !== isPlaced(node))).toEqual([])
  const degrees: number[] = []
  let station: GeneratedNode | undefined
  for (const node of nodes) {
    if (node.level === 4) station = node
    if (node.level !== 6 || !node.place) continue
    const { longitudeDeg, latitudeDeg } = node.place
    degrees.push(Math.abs(longitudeDeg - (station?.place?.longitudeDeg ?? 0)))
    degrees.push(Math.abs(latitudeDeg - (station?.place?.latitudeDeg ?? 0)))
  }
  expect(Math.max(...degrees)).toBeLessThan(0.01)
})
