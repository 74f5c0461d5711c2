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
