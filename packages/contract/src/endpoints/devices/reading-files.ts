import { z } from 'zod'
import { defineEndpoint } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'
import { transfer } from '../../transfer.ts'
import { managingDevices } from './device-access.ts'
import { readingMapping, textFormat } from './reading-mapping.ts'

const transferId = refersTo('transfer', z.number().int().positive())
/** An import runs later, with the access of its account. */
const common = { backend: 'ht-api', method: 'POST', access: managingDevices, apiKeys: 'refused' } as const

/** A number in the query of an upload. */
const digits = z.string().regex(/^\d{1,15}$/)

export const uploadReadings = defineEndpoint({
  ...common,
  path: '/Transfer/UploadReadings',
  summary:
    'Uploads a part of a csv or xlsx file of readings, at most 4 GB. A part has 4 MB, the last one the rest; a lost part is sent again.',
  effect: 'changes',
  file: 'upload',
  input: z.object({
    fileName: z.string().min(1).max(120),
    /** Length of the whole file, bytes. */
    size: digits,
    /** Place of the part in the file, bytes. */
    from: digits,
    /** The upload that a first part started. */
    upload: digits.optional(),
  }),
  output: transfer,
  errors: ['transfer.unreadable', 'transfer.uploading', 'transfer.not-found', 'request.too-large'],
})

export const previewReadings = defineEndpoint({
  ...common,
  path: '/Transfer/PreviewReadings',
  summary: 'The first rows of a file of readings, and what its columns probably mean.',
  effect: 'reads',
  input: z.object({
    transferId,
    /** Absent: as recognised. */
    format: textFormat.optional(),
    sheet: z.string().max(100).optional(),
    headingRow: z.number().int().min(1).max(50).default(1),
  }),
  output: z.object({
    /** Sheets of a workbook; empty for a text file. */
    sheets: z.array(z.string()),
    format: textFormat,
    headings: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    /** What is recognised; what is not is absent. */
    guess: readingMapping.partial(),
  }),
  errors: ['transfer.not-found', 'transfer.unreadable'],
})

export const importReadings = defineEndpoint({
  ...common,
  path: '/Transfer/ImportReadings',
  summary:
    'Checks every reading of an uploaded file and, unless dryRun is set, stores those that are not stored yet. A stored reading is never replaced.',
  effect: 'changes',
  input: z.object({
    transferId,
    version,
    dryRun: z.boolean(),
    mapping: readingMapping,
    /** Required if the caller can see several companies. */
    companyId: refersTo('company', z.number().int().positive()).optional(),
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

export const readingFilesEndpoints = { uploadReadings, previewReadings, importReadings } as const
