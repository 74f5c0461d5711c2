import type { telemetryEndpoints } from '@isotherm/contract/endpoints/telemetry'
import type { CasesOf, World } from '../../endpoint-cases.testkit.ts'

const valves = async ({ server }: World) => ({
  nodes: [await server.nodeKey('s1'), await server.nodeKey('b2')],
  kinds: ['valve'],
  limiter: { page: 1, size: 100 },
})

export const telemetryCases: CasesOf<keyof typeof telemetryEndpoints> = {
  getDevsFromPrjTree: valves,
  getDataLastFromNodeList: valves,
  getDataHisFromDevs: async ({ server }) => ({
    deviceIds: [await server.deviceId('V-b2u1')],
    metrics: ['valve.opening'],
    from: 0,
    to: 1_000,
    maxPoints: 100,
  }),
}
