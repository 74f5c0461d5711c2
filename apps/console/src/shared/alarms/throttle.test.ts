import { expect, test } from 'vitest'
import { createThrottle } from './throttle.ts'

function createWorld() {
  let runs = 0
  const timers: (() => void)[] = []
  const throttle = createThrottle(
    () => {
      runs += 1
    },
    1_000,
    (_, run) => {
      timers.push(run)
      return () => void timers.splice(timers.indexOf(run), 1)
    },
  )
  return { throttle, countRuns: () => runs, timers, pass: () => timers.shift()?.() }
}

test('the first request runs at once, and all further ones within the pause run once after it', () => {
  const { throttle, countRuns, pass, timers } = createWorld()
  for (let notification = 0; notification < 50; notification += 1) throttle.request()
  expect(countRuns()).toBe(1)
  pass()
  expect(countRuns()).toBe(2)
  pass()
  expect(countRuns()).toBe(2)
  expect(timers).toHaveLength(0)
  throttle.request()
  expect(countRuns()).toBe(3)
})

test('after close nothing runs', () => {
  const { throttle, countRuns, timers } = createWorld()
  throttle.request()
  throttle.request()
  throttle.close()
  expect(timers).toHaveLength(0)
  expect(countRuns()).toBe(1)
})
