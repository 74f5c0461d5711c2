import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Name, placeNames, type Side, toOffset } from './place-names.ts'

const name = (x: number, y: number, isFixed = false): Name => ({
  x,
  y,
  isFixed,
  widthPx: 40,
  heightPx: 14,
  gapPx: 8,
})

describe('names', () => {
  test('are placed below their points if there is room', () => {
    expect(placeNames([name(0, 0), name(100, 0)])).toEqual(['below', 'below'])
  })

  test('move above, right, then left; a fifth label is left out', () => {
    const same = Array.from({ length: 5 }, () => name(0, 0))
    expect(placeNames(same)).toEqual(['below', 'above', 'right', 'left', undefined])
  })

  test('that are fixed stay in the centre, even overlapping, and others avoid them', () => {
    expect(placeNames([name(0, -15), name(0, 0, true), name(2, 2, true)])).toEqual([
      'above',
      'middle',
      'middle',
    ])
  })

  test('have their gap to the point on every side', () => {
    const sides: readonly Side[] = ['below', 'above', 'right', 'left', 'middle']
    expect(sides.map((side) => toOffset(name(0, 0), side))).toEqual([
      [0, 15],
      [0, -15],
      [28, 0],
      [-28, 0],
      [0, 0],
    ])
  })

  test('never overlap, and a label is left out only if all its sides are occupied', () => {
    const some = fc.record({
      x: fc.integer({ min: -300, max: 300 }),
      y: fc.integer({ min: -300, max: 300 }),
      widthPx: fc.integer({ min: 10, max: 250 }),
      heightPx: fc.constantFrom(14, 28),
      gapPx: fc.integer({ min: 4, max: 20 }),
      isFixed: fc.constant(false),
    })
    const toBox = (each: Name, side: Side) => {
      const [x, y] = toOffset(each, side)
      return { x: each.x + x, y: each.y + y, width: each.widthPx, height: each.heightPx }
    }
    const collide = (a: ReturnType<typeof toBox>, b: ReturnType<typeof toBox>) =>
      Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2
    fc.assert(
      fc.property(fc.array(some, { maxLength: 60 }), (names) => {
        const sides = placeNames(names)
        const boxes = names.map((each, index) => {
          const side = sides[index]
          return side && toBox(each, side)
        })
        for (const [index, each] of names.entries()) {
          const before = boxes.slice(0, index).flatMap((box) => box ?? [])
          const own = boxes[index]
          if (own) expect(before.some((box) => collide(own, box))).toBe(false)
          else
            for (const side of ['below', 'above', 'right', 'left'] as const)
              expect(before.some((box) => collide(toBox(each, side), box))).toBe(true)
        }
      }),
    )
  })
})
