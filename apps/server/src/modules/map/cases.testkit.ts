import type { mapEndpoints } from '@isotherm/contract/endpoints/network/map'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const toNodes = async ({ server }: World) => [await server.nodeKey('s1')]

export const mapCases: CasesOf<keyof typeof mapEndpoints> = {
  getMapTile: async (world) => ({ z: 0, x: 0, y: 0, nodes: await toNodes(world), metric: 'temp.room' }),
  getMapExtent: async (world) => ({ nodes: await toNodes(world) }),
  getMapPlaces: async (world) => ({ nodes: await toNodes(world), metric: 'temp.room', order: 'lowest' }),
  getMapPlace: async ({ server }) => ({ node: await server.nodeKey('s1') }),
  getMapBase: async () => ({}),
  // endpoints.test.ts puts it there.
  getMapGroundFile: async () => ({ file: 'town.geojson' }),
}
