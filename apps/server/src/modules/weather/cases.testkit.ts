import type { weatherEndpoints } from '@isotherm/contract/endpoints/monitoring/weather'
import type { CasesOf } from '../../testing/endpoint-cases.testkit.ts'

export const weatherCases: CasesOf<keyof typeof weatherEndpoints> = {
  getWeather: async ({ server }) => ({ nodes: [await server.nodeKey('s1')] }),
}
