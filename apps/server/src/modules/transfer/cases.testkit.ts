import type { transferEndpoints } from '@isotherm/contract/endpoints/devices/transfer'
import { z } from 'zod'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const uploaded = z.object({ id: z.number(), version: z.number() })

async function upload({ callOk, unique }: World) {
  const { id, version } = uploaded.parse(await callOk('uploadTransfer', { fileName: unique('甲.xlsx') }))
  return { transferId: id, version }
}

const limiter = { page: 1, size: 10 }

export const transferCases: CasesOf<keyof typeof transferEndpoints> = {
  uploadTransfer: async ({ unique }) => ({ fileName: unique('甲.xlsx') }),
  async excelAdd(world) {
    const { id } = await world.server.db.selectFrom('company').select('id').executeTakeFirstOrThrow()
    return { ...(await upload(world)), dryRun: true, companyId: id }
  },
  getTransfers: async (world) => ({ transferId: (await upload(world)).transferId, limiter }),
  getTransferRows: async (world) => ({ transferId: (await upload(world)).transferId, limiter }),
  getTransferCauses: async (world) => ({ transferId: (await upload(world)).transferId }),
  downloadFailed: async (world) => ({ transferId: (await upload(world)).transferId }),
  getTemplate: async () => ({}),
  exportCompany: async ({ server }) => ({ node: await server.nodeKey('s1') }),
  cancelTransfer: upload,
}
