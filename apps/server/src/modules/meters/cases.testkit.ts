import type { meterEndpoints } from '@isotherm/contract/endpoints/monitoring/meters'
import type { CasesOf } from '../../testing/endpoint-cases.testkit.ts'

const dates = { from: '2026-01-01', to: '2026-01-31' }

export const meterCases: CasesOf<keyof typeof meterEndpoints> = {
  getMeterRows: async ({ server }) => ({ nodes: [await server.nodeKey('s1')], level: 'building', ...dates }),
  getMeterCourse: async ({ server }) => ({
    deviceId: await server.deviceId('V-b2u1'),
    level: 'day',
    ...dates,
  }),
  exportHeatBills: async ({ server }) => ({
    nodes: [await server.nodeKey('s1')],
    ...dates,
    yuanPerM2: 8,
    yuanPerKwh: 0.2,
    format: 'xlsx',
  }),
}
