import type { sendReadingsEndpoints } from '@isotherm/contract/endpoints/devices/send-readings'
import type { findingsEndpoints } from '@isotherm/contract/endpoints/monitoring/findings'
import type { quarantineEndpoints } from '@isotherm/contract/endpoints/monitoring/quarantine'
import type { rawFramesEndpoints } from '@isotherm/contract/endpoints/monitoring/raw-frames'
import type { realValuesEndpoints } from '@isotherm/contract/endpoints/monitoring/real-values'
import type { telemetryEndpoints } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { networkFiguresEndpoints } from '@isotherm/contract/endpoints/network/network-figures'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const valves = async ({ server }: World) => ({
  nodes: [await server.nodeKey('s1'), await server.nodeKey('b2')],
  kinds: ['valve'],
  limiter: { page: 1, size: 100 },
})

const history = async ({ server }: World) => ({
  deviceIds: [await server.deviceId('V-b2u1')],
  metrics: ['valve.opening'],
  from: 0,
  to: 1_000,
  maxPoints: 100,
})

const selects = async ({ server }: World) => ({
  projectId: await server.nodeId('p'),
  groupId: await server.nodeId('a1'),
  uuid: await server.nodeKey('b2'),
  nodes: [await server.nodeKey('b2')],
  filter: [{ field: 'kind', cond: 'eq', vstd: 'valve' }],
  limiter: { page: 1, size: 100 },
})

export const realValuesCases: CasesOf<keyof typeof realValuesEndpoints> = {
  getThreeSelectNewRealDev: selects,
  getThreeSelectNewRealDevOrderBy: async (world) => ({
    ...(await selects(world)),
    orderBy: 'valve.opening',
    desc: true,
  }),
  getDataLastFromPrjTree: valves,
  rbacGetDataLastFromLeafs: async ({ server }) => ({
    nodes: [await server.nodeKey('b2')],
    deviceIds: [await server.deviceId('V-b10u1')],
  }),
}

export const telemetryCases: CasesOf<keyof typeof telemetryEndpoints> = {
  getDevsFromPrjTree: valves,
  getDataLastFromNodeList: valves,
  getDataHisFromDevs: history,
  rbacGetDataHisFromDevs: history,
}

export const networkFiguresCases: CasesOf<keyof typeof networkFiguresEndpoints> = {
  getNetworkFigures: async ({ server }) => ({
    nodes: [await server.nodeKey('s1'), await server.nodeKey('b2')],
  }),
}

export const findingsCases: CasesOf<keyof typeof findingsEndpoints> = {
  getFindings: async ({ server }) => ({
    node: await server.nodeKey('b2'),
    deviceIds: [await server.deviceId('V-b2u1')],
    rules: ['closed-valve'],
    isOpen: true,
    from: 1_000,
    to: 2_000,
    limiter: { page: 1, size: 20 },
  }),
}

export const quarantineCases: CasesOf<keyof typeof quarantineEndpoints> = {
  getQuarantine: async () => ({
    reasons: ['wrong-schema', 'unknown-device'],
    imei: 'C-b2',
    from: 1_000,
    to: 2_000,
    limiter: { page: 1, size: 20 },
  }),
}

export const rawFramesCases: CasesOf<keyof typeof rawFramesEndpoints> = {
  getRawFrames: async ({ server }) => ({
    deviceId: await server.deviceId('C-b2'),
    from: 1_000,
    to: 2_000,
    limiter: { page: 1, size: 20 },
  }),
}

export const sendReadingsCases: CasesOf<keyof typeof sendReadingsEndpoints> = {
  sendReadings: async () => ({
    imei: 'C-b2',
    channel: 'history',
    messages: [{ v: 1, boot: 1, seq: 0, ts: Date.now(), d: [{ id: 'C-b2', m: { 'bat.v': 3.6 } }] }],
  }),
}
