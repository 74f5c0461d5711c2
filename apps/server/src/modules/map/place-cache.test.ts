import { expect, test } from 'vitest'
import { createPlaceCache } from './place-cache.ts'

function createBench() {
  let readings = 0
  let isBroken = false
  const find = createPlaceCache(async () => {
    readings += 1
    if (isBroken) throw new Error('no database')
    const place = { longitudeDeg: 116.4, latitudeDeg: 39.9 }
    return [{ node: '2', name: `${readings}`, level: 4, path: '/1/2/', ...place }]
  })
  return {
    find: async (groups: number, places: number, coordinates: 'wgs84' | 'gcj02' = 'wgs84') =>
      (await find({ groups, places }, coordinates)).places[0],
    readings: () => readings,
    break: (broken: boolean) => {
      isBroken = broken
    },
  }
}

test('places are read once for both coordinate systems', async () => {
  const { find, readings } = createBench()
  const [first, again, shifted] = await Promise.all([find(1, 1), find(1, 1), find(1, 1, 'gcj02')])
  expect(again).toBe(first)
  expect(shifted?.longitudeDeg).not.toBe(first?.longitudeDeg)
  expect(readings()).toBe(1)
})

test('places are read again after a node was changed or moved on the map', async () => {
  const { find } = createBench()
  const names = [await find(1, 1), await find(2, 1), await find(2, 2), await find(2, 2)]
  expect(names.map((place) => place?.name)).toEqual(['1', '2', '3', '3'])
})

test('a failed read is repeated', async () => {
  const bench = createBench()
  bench.break(true)
  await expect(bench.find(1, 1)).rejects.toThrow('no database')
  bench.break(false)
  expect(await bench.find(1, 1)).toMatchObject({ name: '2' })
})
