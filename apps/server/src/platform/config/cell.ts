import { createHash } from 'node:crypto'
import { topicPart } from '@isotherm/contract/mqtt'
import { z } from 'zod'
import type { Cell } from '../cell/cell.ts'
import { splitAtCommas } from './url.ts'

/** PostgreSQL takes at most 10,000 bytes of settings with a connection, among them the list. */
const MAX_LIST_LENGTH = 8_000

/** Variables of the companies that a server serves. */
export const cellEnvironment = {
  ISOTHERM_TENANTS: z
    .string()
    .transform((text) => [...new Set(splitAtCommas(text))].toSorted())
    .refine(
      (tenants) => tenants.length > 0 && tenants.every((tenant) => topicPart.safeParse(tenant).success),
      'is not a list of tenants such as north,south',
    )
    .refine((tenants) => tenants.join(',').length <= MAX_LIST_LENGTH, 'is too long')
    .optional()
    .describe(
      'Companies that this server serves, by tenant, separated by commas; without it all. Other servers on the same stores serve the others',
    ),
} as const

/** Names a cell by its tenants: all servers with the same ones have the same name. */
export const toCell = (tenants: readonly string[]): Cell => ({
  name: createHash('sha256').update(tenants.join(',')).digest('hex').slice(0, 12),
  tenants,
})
