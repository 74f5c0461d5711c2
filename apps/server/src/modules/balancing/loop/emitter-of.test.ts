import { expect, it } from 'vitest'
import { createEmitterFinder } from './emitter-of.ts'

const mark = (path: string, emitter: 'radiator' | 'floor' | 'fan-coil', areaM2 = 0) => ({
  path,
  emitter,
  areaM2,
})

it('is a radiator without a record, and otherwise the record of the nearest node above', () => {
  expect(createEmitterFinder([])('/1/2/3/', 100)).toBe('radiator')
  const find = createEmitterFinder([mark('/1/', 'fan-coil'), mark('/1/2/', 'floor', 400)])
  expect(find('/1/2/3/', 100)).toBe('floor')
  expect(find('/1/4/3/', 100)).toBe('fan-coil')
})

it('is the emitter of most of the floor area behind a valve', () => {
  const flat = (id: number) => mark(`/1/2/3/${id}/`, 'floor', 90)
  expect(createEmitterFinder([flat(4)])('/1/2/3/', 270)).toBe('radiator')
  expect(createEmitterFinder([flat(4), flat(5)])('/1/2/3/', 270)).toBe('floor')
  // In a unit recorded with floors, two of three flats have other records.
  const unit = mark('/1/2/3/', 'floor', 270)
  const other = (id: number) => mark(`/1/2/3/${id}/`, 'radiator', 90)
  expect(createEmitterFinder([unit, other(4)])('/1/2/', 270)).toBe('floor')
  expect(createEmitterFinder([unit, other(4), other(5)])('/1/2/', 270)).toBe('radiator')
})

it('is the record above if no floor area is known', () => {
  expect(createEmitterFinder([mark('/1/2/', 'floor'), mark('/1/2/3/', 'radiator')])('/1/2/', null)).toBe(
    'floor',
  )
})
