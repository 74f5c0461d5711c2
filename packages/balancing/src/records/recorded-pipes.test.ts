import { SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { expect, test } from 'vitest'
import { findWays, type RecordedPipe, toPipeSpec, withoutDeadEnds } from './recorded-pipes.ts'

const trench = (from: string, to: string): RecordedPipe => ({
  from,
  to,
  lengthM: 100,
  innerDiameterM: 0.08,
  roughnessM: 0.0005,
})
/** Pipes from a text: `s-a a-b`. */
const pipesOf = (text: string): RecordedPipe[] =>
  text.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('-')
    return trench(from, to)
  })
const namesOf = (pipes: readonly RecordedPipe[]): string =>
  pipes.map(({ from, to }) => `${from}-${to}`).join(' ')
/** Ways as a text: each place with the place before it. */
const waysOf = (text: string): string =>
  [...findWays(pipesOf(text), 's')].map(([place, { above }]) => `${above}>${place}`).join(' ')

test('a recorded trench is a pipe of supply and return, with 30 % more length for bends and tees', () => {
  expect(toPipeSpec(SOURCE, trench('s', 'a'))).toEqual({
    parent: SOURCE,
    length: 130,
    innerDiameter: 0.08,
    roughness: 0.0005,
    localLoss: 0,
    runs: 2,
  })
})

test('ways lead from the source outwards, whichever end of a pipe is recorded first', () => {
  expect(waysOf('b-a s-a c-a d-c')).toBe('s>a a>b a>c c>d')
  const ways = findWays(pipesOf('b-a s-a'), 's')
  expect(ways.get('b')?.pipe).toMatchObject({ from: 'b', to: 'a' })
})

test('a place that no pipe connects to the source has no way', () => {
  expect(waysOf('s-a x-y')).toBe('s>a')
  expect(findWays([], 's').size).toBe(0)
})

test('in a ring each place has the way with the fewest pipes, and the source has none', () => {
  expect(waysOf('s-a a-b b-c c-d d-s')).toBe('s>a s>d a>b d>c')
})

test('a second pipe between the same places, and one from a place to itself, are not needed for any way', () => {
  expect(waysOf('s-a a-s a-a a-b')).toBe('s>a a>b')
})

test('a pipe that leads to no given place is a dead end, and so are the pipes before it', () => {
  const places = new Set(['s', 'b'])
  expect(namesOf(withoutDeadEnds(pipesOf('s-a a-b a-x x-y y-z'), places))).toBe('s-a a-b')
  expect(namesOf(withoutDeadEnds(pipesOf('z-y y-x x-a b-a a-s'), places))).toBe('b-a a-s')
})

test('a ring has no dead end, though it leads to no given place', () => {
  expect(namesOf(withoutDeadEnds(pipesOf('s-a a-x x-y y-a'), new Set(['s'])))).toBe('s-a a-x x-y y-a')
})

test('pipes without any given place are all dead ends; a pipe between two given places is none', () => {
  expect(withoutDeadEnds(pipesOf('a-b b-c'), new Set())).toEqual([])
  expect(namesOf(withoutDeadEnds(pipesOf('s-a'), new Set(['s', 'a'])))).toBe('s-a')
})
