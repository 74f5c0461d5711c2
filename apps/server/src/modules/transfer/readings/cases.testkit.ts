import type { readingFilesEndpoints } from '@isotherm/contract/endpoints/devices/reading-files'
import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { z } from 'zod'
import type { CasesOf, World } from '../../../testing/endpoint-cases.testkit.ts'

const uploaded = z.object({ id: z.number(), version: z.number() })

/** The body of uploads in tests is a small workbook, and these limits let it be the whole file. */
async function upload({ server, callOk, unique }: World) {
  const input = { fileName: unique('读数.xlsx'), size: String(1 << 20), from: '0' }
  const { id } = uploaded.parse(await callOk('uploadReadings', input))
  const { version } = await server.db
    .updateTable('transfer')
    .set({ state: 'uploaded' })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  return { transferId: id, version }
}

const mapping: ReadingMapping = {
  encoding: 'utf-8',
  delimiter: ',',
  headingRow: 1,
  headings: ['项目', '公司'],
  device: { column: 0, by: 'serial' },
  time: { column: 1, order: 'ymd' },
  timeZone: 'Asia/Shanghai',
  form: 'wide',
  values: [{ column: 2, metric: 'temp.room', unit: '°C' }],
  isEstimated: false,
}

export const readingFilesCases: CasesOf<keyof typeof readingFilesEndpoints> = {
  uploadReadings: async ({ unique }) => ({ fileName: unique('读数.xlsx'), size: String(1 << 20), from: '0' }),
  previewReadings: async (world) => ({ transferId: (await upload(world)).transferId }),
  async importReadings(world) {
    const { id } = await world.server.db.selectFrom('company').select('id').executeTakeFirstOrThrow()
    return { ...(await upload(world)), dryRun: true, companyId: id, mapping }
  },
}
