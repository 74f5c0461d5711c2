import type { commandsEndpoints } from '@isotherm/contract/endpoints/commands'
import { z } from 'zod'
import type { CasesOf, World } from '../../endpoint-cases.testkit.ts'

const given = z.object({ commands: z.array(z.object({ id: z.string() })) })

const toCommand = async ({ server }: World) => ({
  targets: [{ deviceId: await server.deviceId('V-b2u1'), openingPct: 40 }],
  reason: 'test',
})

export const commandsCases: CasesOf<keyof typeof commandsEndpoints> = {
  publishMqCtlCmd: toCommand,
  getCtlLog: async ({ server }) => ({
    nodes: [await server.nodeKey('s1')],
    deviceIds: [await server.deviceId('V-b2u1')],
    limiter: { page: 1, size: 100 },
  }),
  getCtlLogCmdLast: async ({ server }) => ({ deviceIds: [await server.deviceId('V-b2u1')] }),
  async deleteCtlCmd(world) {
    const { commands } = given.parse(await world.give('publishMqCtlCmd', await toCommand(world)))
    return { ids: commands.map(({ id }) => id) }
  },
  updateDevLastOpenset: async ({ server }) => ({
    items: [{ deviceId: await server.deviceId('V-b2u1'), openingPct: 45 }],
  }),
}
