import { celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import { returnTemperature } from '@isotherm/thermal/households/radiator'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reconcileFlows, virtualFlow } from './reconcile-flows.ts'

const estimate = (flowKgS: number, sigmaKgS: number) => ({ flowKgS, sigmaKgS })

test('a deficit is shared by variance: metered flows hardly change, estimated flows change most', () => {
  const flows = reconcileFlows([estimate(1, 0.01), estimate(1, 0.1), estimate(1, 0.1)], estimate(3.2, 0))
  expect(flows[0]).toBeCloseTo(1 + (1e-4 * 0.2) / 0.0201, 12)
  expect(flows[1]).toBeCloseTo(1 + (0.01 * 0.2) / 0.0201, 12)
})

test('flows are never negative and add up to an exact total, whatever was measured', () => {
  const positive = fc.double({ min: 0.01, max: 5, noNaN: true })
  const one = fc.record({ flowKgS: fc.double({ min: 0, max: 5, noNaN: true }), sigmaKgS: positive })
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), positive, (estimates, total) => {
      const flows = reconcileFlows(estimates, estimate(total, 0))
      expect(Math.min(...flows)).toBeGreaterThanOrEqual(0)
      expect(flows.reduce((sum, flow) => sum + flow, 0)).toBeCloseTo(total, 9)
    }),
  )
})

test('a virtual flow gives the emitter its measured return temperature', () => {
  const emitter = { coefficient: 900, exponent: 1.3 }
  const [supply, room] = [celsius(48), celsius(20)]
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 5, noNaN: true }), (flow) => {
      const returnC = returnTemperature(emitter, kilogramPerSecond(flow), supply, room)
      expect(virtualFlow(900, 1.3, { supplyC: supply, returnC, roomC: room }) / flow).toBeCloseTo(1, 6)
    }),
  )
})

test('water that does not cool has no virtual flow', () => {
  expect(virtualFlow(900, 1.3, { supplyC: 40, returnC: 40, roomC: 20 })).toBeNaN()
  expect(virtualFlow(900, 1.3, { supplyC: 40, returnC: 19, roomC: 20 })).toBeNaN()
})

test('a station’s flow with an error of its own takes part of the difference', () => {
  // 0.3 kg/s are shared by the variances 0.01, 0.04 and 0.05 of the station.
  const flows = reconcileFlows([estimate(1, 0.1), estimate(2, 0.2)], estimate(3.3, Math.sqrt(0.05)))
  expect([...flows]).toEqual([expect.closeTo(1.03, 9), expect.closeTo(2.12, 9)])
})

test('a flow that would become negative is zero, and the others share the remainder', () => {
  // Shared by two, 2.1 kg/s too much would leave −0.95; the second alone takes 2 kg/s.
  expect([...reconcileFlows([estimate(0.1, 1), estimate(5, 1)], estimate(3, 0))]).toEqual([0, 3])
  // Without the first, the second becomes negative in its turn.
  const flows = reconcileFlows([estimate(0.1, 1), estimate(0.5, 0.5), estimate(4, 0.5)], estimate(2, 0))
  expect([...flows]).toEqual([0, 0, expect.closeTo(2, 9)])
})

test('flows without errors are used as they are', () => {
  expect([...reconcileFlows([estimate(1, 0), estimate(2, 0)], estimate(5, 0))]).toEqual([1, 2])
})

test('a flow exactly at zero is not negative', () => {
  expect([...reconcileFlows([estimate(1, 1), estimate(3, 1)], estimate(2, 0))]).toEqual([0, 2])
})

test('a virtual flow is K·LMTD^n/(c·ΔT)', () => {
  // 900 W/K^1.3 at 28 and 20 K, and water that cools by 8 K.
  const lmtd = 8 / Math.log(28 / 20)
  const flow = virtualFlow(900, 1.3, { supplyC: 48, returnC: 40, roomC: 20 })
  expect(flow).toBeCloseTo((900 * lmtd ** 1.3) / (4187 * 8), 9)
  expect(flow).toBeCloseTo(1.653, 2)
  expect(virtualFlow(900, 1.3, { supplyC: 40, returnC: 42, roomC: 20 })).toBeNaN()
})
