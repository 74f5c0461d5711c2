import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrangeViews, type View } from './views.ts'

type Front = Omit<View<string>, 'seen'>
const page = (key: string, more: Partial<Front> = {}): Front => ({
  key,
  refresh: 0,
  noCache: false,
  content: key,
  ...more,
})
const all = () => true
const visit = (fronts: readonly Front[], most = 8) =>
  fronts.reduce<readonly View<string>[]>((views, front) => arrangeViews(views, front, all, most), [])
const keys = (views: readonly View<string>[]) => views.map((view) => view.key)

test('§2 Tab strip: view components are cached, in a stable order', () => {
  expect(keys(visit([page('/a'), page('/b'), page('/a')]))).toEqual(['/a', '/b'])
})

test('§2 Tab strip: view components are cached unless the route says no cache', () => {
  expect(keys(visit([page('/a', { noCache: true }), page('/b')]))).toEqual(['/b'])
})

test('the view that was not shown for the longest time is removed first', () => {
  expect(keys(visit([page('/a'), page('/b'), page('/a'), page('/c')], 2))).toEqual(['/a', '/c'])
})

test('a refresh replaces the view of this key only', () => {
  const views = visit([page('/a?id=1'), page('/a?id=2'), page('/a?id=1', { refresh: 1 })])
  expect(views.map(({ key, refresh }) => [key, refresh])).toEqual([
    ['/a?id=2', 0],
    ['/a?id=1', 1],
  ])
})

test('closing one of two records of a page removes only its view', () => {
  const views = visit([page('/a?id=1'), page('/a?id=2'), page('/b')])
  expect(keys(arrangeViews(views, page('/b'), (view) => view.key !== '/a?id=1'))).toEqual(['/a?id=2', '/b'])
})

test('without a change the list is the same object, so that rendering stops', () => {
  const views = visit([page('/a'), page('/b')])
  expect(arrangeViews(views, page('/b'), all)).toBe(views)
})

test('property: keys are unique, the front view is present and seen last, and the number of views is limited', () => {
  const anyFront = fc
    .record({
      key: fc.constantFrom('/a', '/b', '/c', '/d', '/e'),
      refresh: fc.nat(2),
      content: fc.string({ maxLength: 1 }),
    })
    .map((front) => ({ ...front, noCache: front.key === '/e' }))
  fc.assert(
    fc.property(fc.array(anyFront), fc.integer({ min: 1, max: 4 }), (fronts, most) => {
      let views: readonly View<string>[] = []
      for (const front of fronts) {
        views = arrangeViews(views, front, all, most)
        expect(new Set(keys(views)).size).toBe(views.length)
        expect(views.length).toBeLessThanOrEqual(most)
        const last = views.toSorted((left, right) => left.seen - right.seen).at(-1)
        expect(last).toMatchObject(front)
        expect(arrangeViews(views, front, all, most)).toBe(views)
      }
    }),
  )
})
