import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import {
  type getQuarantine,
  PREVIEW_BYTES,
  type QuarantineItem,
  type QuarantineReason,
  quarantineReason,
} from '@isotherm/contract/endpoints/monitoring/quarantine'
import { z } from 'zod'
import type { Cell } from '../../../platform/cell/cell.ts'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { covers, type Scope, seesEverything } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import { toPreview } from './quarantine-preview.ts'

type Query = InputOf<typeof getQuarantine>

const name = z.tuple([z.string(), z.string()])
const row = z.tuple([
  z.coerce.number(),
  z.string(),
  z.string(),
  quarantineReason,
  z.string(),
  z.number(),
  z.number(),
])
const total = z.tuple([z.coerce.number()])

/** Most gateways that are searched in the quarantine; a company has fewer. */
const MAX_GATEWAYS = 20_000
const MAX_SECONDS = 10

/** The topic of a known gateway is stored as tenant, gateway and channel. */
const TENANT = "splitByChar('/', topic)[1]"
const GATEWAY = "splitByChar('/', topic)[2]"
/** Tenant of a row; that of an unknown gateway is in its whole topic. */
const ANY_TENANT = "extract(topic, '^(?:hx/v1/)?([^/]+)/')"

interface Params {
  readonly from: number
  readonly to: number
  readonly reasons: readonly QuarantineReason[]
  readonly imei: string
}

const toParams = ({ from, to, reasons, imei }: Query): Params => ({
  from: from ?? 0,
  to: to ?? 4_102_444_800_000,
  reasons: reasons ?? [],
  imei: imei ?? '',
})

const WHERE = `received >= fromUnixTimestamp64Milli({from: Int64}) AND received < fromUnixTimestamp64Milli({to: Int64})
  AND (empty({reasons: Array(String)}) OR has({reasons: Array(String)}, reason))
  AND ({imei: String} = '' OR node = {imei: String})`

/** Characters of serials and tenants. Other values in the table belong to no company. */
const PLAIN = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Lists the quarantine. A limited scope sees only messages of registered gateways inside it: a foreign topic or an
 * unknown gateway can belong to anybody. A caller who sees everything sees all rows of the companies that this server serves.
 */
export function createListQuarantine(
  client: ClickHouseClient,
  directory: Pick<DeviceDirectory, 'find'>,
  cell: Cell | undefined,
) {
  const read = createReadRows(client, MAX_SECONDS)

  /** Condition that a row is of a gateway inside the scope; undefined if there is none. */
  async function narrow(scope: Scope, params: Params): Promise<string | undefined> {
    if (scope.kind === 'all') return 'true'
    // Tenants have no quotes.
    if (cell && seesEverything(scope)) return `${ANY_TENANT} IN ('${cell.tenants.join("','")}')`
    const query = `SELECT DISTINCT ${TENANT}, ${GATEWAY} FROM quarantine WHERE ${WHERE} AND node != ''
      LIMIT ${MAX_GATEWAYS}`
    const visible = (await read(name, query, { ...params })).filter(([tenant, gateway]) => {
      const found = PLAIN.test(tenant) && PLAIN.test(gateway) ? directory.find(tenant, gateway) : undefined
      return found !== undefined && covers(scope, found.path)
    })
    if (visible.length === 0) return undefined
    return `(${TENANT}, ${GATEWAY}) IN (${visible.map(([tenant, gateway]) => `('${tenant}','${gateway}')`).join(',')})`
  }

  return async (scope: Scope, query: Query): Promise<OutputOf<typeof getQuarantine>> => {
    const params = toParams(query)
    const condition = await narrow(scope, params)
    if (condition === undefined) return { datalist: [], total: 0 }
    const { page, size } = query.limiter
    const where = `WHERE ${WHERE} AND ${condition}`
    // Each byte is stored as one character, which takes up to two bytes.
    const list = `SELECT toUnixTimestamp64Milli(received), topic, node, reason, substringUTF8(bytes, 1, ${PREVIEW_BYTES}),
        size, count FROM quarantine ${where} ORDER BY received DESC, topic, reason
      LIMIT {size: UInt32} OFFSET {offset: UInt64}`
    const [rows, counted] = await Promise.all([
      read(row, list, { ...params, size, offset: (page - 1) * size }),
      read(total, `SELECT count() FROM quarantine ${where}`, { ...params }),
    ])
    const datalist = rows.map(([receivedAt, topic, node, reason, bytes, length, count]): QuarantineItem => {
      const { text: preview, isHex } = toPreview(Buffer.from(bytes, 'latin1'))
      return { receivedAt, topic, node, reason, preview, isHex, size: length, count }
    })
    return { datalist, total: counted[0]?.[0] ?? 0 }
  }
}
