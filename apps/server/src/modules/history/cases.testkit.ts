import type { historyEndpoints } from '@isotherm/contract/endpoints/monitoring/history'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const range = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 3) }

const rows = async ({ server }: World) => ({
  deviceIds: [await server.deviceId('V-b2u1')],
  nodes: [await server.nodeKey('s1')],
  kinds: ['valve'],
  metrics: ['valve.opening'],
  level: 'raw',
  ...range,
})

export const historyCases: CasesOf<keyof typeof historyEndpoints> = {
  getDataBuckets: async ({ server }) => ({
    deviceIds: [await server.deviceId('V-b2u1')],
    metrics: ['valve.opening'],
    level: 'hour',
    columns: ['avg', 'good'],
    ...range,
  }),
  getDataSpread: async ({ server }) => ({
    nodes: [await server.nodeKey('s1')],
    kinds: ['room-sensor'],
    metric: 'temp.room',
    level: 'day',
    ...range,
  }),
  getDataSegments: async ({ server }) => ({ deviceIds: [await server.deviceId('V-b2u1')] }),
  countDataRows: rows,
  exportDataRows: async (world) => ({ ...(await rows(world)), format: 'xlsx' }),
}
