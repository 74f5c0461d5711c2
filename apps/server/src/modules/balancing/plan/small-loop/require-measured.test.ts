import { expect, test } from 'vitest'
import { planLoop } from './small-loop.testkit.ts'

test.each([
  ['pressures of the station', 'balance.no-head', 'return', /^pressure\./],
  ['flows', 'balance.no-flow', 'return', /flow$/],
  ['rooms, if rooms are the target', 'balance.no-rooms', 'room', /^temp\.room$/],
] as const)('a plan without %s is refused by what is missing', async (_what, code, target, missing) => {
  const lacks = (_: number, metric: string) => missing.test(metric)
  await expect(planLoop({ target, lacks })).rejects.toMatchObject({ code, params: { node: '小区' } })
})

test('a plan with few measured valves is refused with their number and the addresses of the others', async () => {
  const lacks = (deviceId: number, metric: string) => deviceId <= 5 && /^temp\./.test(metric)
  await expect(planLoop({ lacks })).rejects.toMatchObject({
    code: 'balance.not-measured',
    params: {
      measured: 3,
      valves: 8,
      missing: [1, 2, 3, 4, 5].map((unit) => `阳光小区/3号楼/${unit}单元`).join(', '),
    },
  })
})
