import { expect, test } from 'vitest'
import { placeBox } from './place-box.ts'

const frame = { width: 300, height: 200 }
const box = { width: 100, height: 40 }

test('a box is placed right below the pointer', () => {
  expect(placeBox({ x: 50, y: 50 }, box, frame)).toEqual({ x: 70, y: 70 })
})

test('near an edge it is placed on the other side of the pointer', () => {
  expect(placeBox({ x: 250, y: 180 }, box, frame)).toEqual({ x: 130, y: 120 })
})

test('without enough space on either side it stays in the frame', () => {
  expect(placeBox({ x: 150, y: 10 }, { width: 200, height: 40 }, frame).x).toBe(0)
  expect(placeBox({ x: 290, y: 10 }, { width: 290, height: 40 }, frame).x).toBe(0)
  expect(placeBox({ x: 10, y: 10 }, { width: 400, height: 300 }, frame)).toEqual({ x: 0, y: 0 })
})
