import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { rowVerdict, transfer, transferCause, transferKind, transferRow } from '../../transfer.ts'
import { nodeKey } from '../../tree.ts'
import { managingDevices } from './device-access.ts'

/** Rows of the tree require ps-oraigionsys, rows of devices and models the page of their kind; other rows fail. */
const access = requiresPermission('ps-oraigionsys', ...managingDevices.anyOf)

const companyId = refersTo('company', z.number().int().positive())
const transferId = refersTo('transfer', z.number().int().positive())
/** An import runs later, with the access of its account. */
const common = { backend: 'ht-api', method: 'POST', access, apiKeys: 'refused' } as const

export const uploadTransfer = defineEndpoint({
  ...common,
  path: '/Transfer/UploadTransfer',
  summary: 'Uploads a workbook of at most 50 MB and 200,000 rows, for ExcelAdd to check or import.',
  effect: 'changes',
  file: 'upload',
  input: z.object({ fileName: z.string().min(1).max(120) }),
  output: transfer,
  errors: ['transfer.unreadable', 'transfer.uploading', 'request.too-large'],
})

export const excelAdd = defineEndpoint({
  ...common,
  path: '/Dev/ExcelAdd',
  summary: 'Checks every row of an uploaded workbook and, unless dryRun is set, imports the valid ones.',
  effect: 'changes',
  input: z.object({
    transferId,
    version,
    dryRun: z.boolean(),
    /** Required if the caller can see several companies. */
    companyId: companyId.optional(),
  }),
  output: transfer,
  errors: [
    'transfer.not-found',
    'transfer.not-now',
    'transfer.which-company',
    'company.not-found',
    'entity.stale',
  ],
})

export const getTransfers = defineEndpoint({
  ...common,
  path: '/Transfer/GetTransfers',
  summary: "The caller's imports, newest first, retained for a week.",
  effect: 'reads',
  input: z.object({
    transferId: transferId.optional(),
    kind: transferKind.default('registry'),
    limiter: limiter.default({ page: 1, size: 20 }),
  }),
  output: pageOf(transfer),
  errors: ['transfer.not-found'],
})

export const getTransferRows = defineEndpoint({
  ...common,
  path: '/Transfer/GetTransferRows',
  summary: 'Rows of an import with their verdicts, in the order of the workbook.',
  effect: 'reads',
  input: z.object({
    transferId,
    verdict: rowVerdict.optional(),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: pageOf(transferRow),
  errors: ['transfer.not-found'],
})

export const getTransferCauses = defineEndpoint({
  ...common,
  path: '/Transfer/GetTransferCauses',
  summary: 'Failed rows of an import by sheet and cause, most rows first.',
  effect: 'reads',
  input: z.object({ transferId }),
  output: z.object({ datalist: z.array(transferCause) }),
  errors: ['transfer.not-found'],
})

export const downloadFailed = defineEndpoint({
  ...common,
  path: '/Transfer/DownloadFailed',
  summary:
    'The failed rows of an import as a workbook of the same format, with the reason in a column; of readings at most 10,000.',
  effect: 'reads',
  file: 'download',
  input: z.object({ transferId }),
  output: z.null(),
  errors: ['transfer.not-found'],
})

export const getTemplate = defineEndpoint({
  ...common,
  path: '/Transfer/GetTemplate',
  summary: "An empty workbook with headings and explanations in the caller's language.",
  effect: 'reads',
  file: 'download',
  input: z.object({}),
  output: z.null(),
  errors: [],
})

export const exportCompany = defineEndpoint({
  ...common,
  path: '/Transfer/ExportCompany',
  summary: 'The granted part of a company, or of one node, as a workbook that can be imported.',
  effect: 'reads',
  file: 'download',
  input: z.object({
    node: refersTo('node', nodeKey).optional(),
    /** Required if the caller can see several companies and names no node. */
    companyId: companyId.optional(),
  }),
  output: z.null(),
  errors: [
    'node.not-found',
    'company.not-found',
    'transfer.which-company',
    'transfer.too-many-rows',
    'request.too-many',
  ],
})

export const cancelTransfer = defineEndpoint({
  ...common,
  path: '/Transfer/CancelTransfer',
  summary: 'Cancels an import. Imported rows stay.',
  effect: 'changes',
  input: z.object({ transferId, version }),
  output: transfer,
  errors: ['transfer.not-found', 'transfer.not-now', 'entity.stale'],
})

export const transferEndpoints = {
  uploadTransfer,
  excelAdd,
  getTransfers,
  getTransferRows,
  getTransferCauses,
  downloadFailed,
  getTemplate,
  exportCompany,
  cancelTransfer,
} as const
