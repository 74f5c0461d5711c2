import type { statisticsEndpoints } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { CasesOf } from '../../testing/endpoint-cases.testkit.ts'

const dates = { period: 'range', from: '2026-01-01', to: '2026-01-31' } as const

export const statisticsCases: CasesOf<keyof typeof statisticsEndpoints> = {
  getReport: async ({ server }) => ({
    report: 'balance',
    nodes: [await server.nodeKey('s1')],
    level: 'building',
    ...dates,
  }),
  exportReport: async ({ server }) => ({
    report: 'availability',
    nodes: [await server.nodeKey('s1')],
    level: 'building',
    ...dates,
    format: 'xlsx',
  }),
  getReportCourse: async ({ server }) => ({
    report: 'availability',
    nodes: [await server.nodeKey('s1')],
    step: 'week',
    ...dates,
  }),
}
