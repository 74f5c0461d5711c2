import type { DeviceState } from '@isotherm/contract/devices'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noStatesById } from './states-by-id.ts'

const toRow = (deviceId: number, ts: number): DeviceState =>
  ({ deviceId, ts, quality: 0, metrics: {} }) as DeviceState

test('behaves like a map that is copied at each change; older snapshots do not change', () => {
  // Some ids share a bucket, others do not.
  const id = fc.integer({ min: 0, max: 2_000 })
  fc.assert(
    fc.property(fc.array(fc.array(id, { maxLength: 20 }), { maxLength: 20 }), (pushes) => {
      let held = noStatesById
      let plain = new Map<number, DeviceState>()
      const all = [{ held, plain }]
      for (const [ts, ids] of pushes.entries()) {
        const rows = ids.map((deviceId) => toRow(deviceId, ts))
        held = held.with(rows)
        plain = new Map([...plain, ...rows.map((row) => [row.deviceId, row] as const)])
        all.push({ held, plain })
      }
      for (const each of all) {
        expect(new Set(each.held.list())).toEqual(new Set(each.plain.values()))
        expect(each.held.list()).toHaveLength(each.plain.size)
        for (const deviceId of new Set(pushes.flat())) {
          expect(each.held.get(deviceId)).toBe(each.plain.get(deviceId))
          expect(each.held.has(deviceId)).toBe(each.plain.has(deviceId))
        }
      }
    }),
  )
})
