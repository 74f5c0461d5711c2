import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import {
  type getRawFrames,
  type RawFrameItem,
  RECENT_FRAMES_MS,
} from '@isotherm/contract/endpoints/monitoring/raw-frames'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { toIn } from '../../../platform/clickhouse/cluster.ts'
import type { Clock } from '../../../platform/clock.ts'
import { covers, type Scope } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory } from '../../devices/index.ts'

const MAX_SECONDS = 10
/** Maximum number of names without a known device that are looked up; a bus has some hundreds of addresses. */
const MAX_NAMES = 5_000
const END_OF_TIME = 4_102_444_800_000

const RANGE = `received >= fromUnixTimestamp64Milli({from: Int64})
  AND received < fromUnixTimestamp64Milli({to: Int64})`
/** Key of a frame. The hash replaces the bytes, which are read for one page only. */
const KEY = 'node, ts, boot, seq, part, hash'
const ORDER = 'ORDER BY received DESC, ts DESC, seq DESC, part DESC'

const sentBy = (columns: string, shown: string): string =>
  `SELECT ${columns} FROM raw_frames WHERE node = {deviceId: UInt32} AND ${RANGE} ${shown}`
/**
 * Frames of a device that gateways sent, whichever gateway it was behind. The index of devices limits the blocks that
 * are read.
 */
const sentOf = (columns: string): string =>
  `SELECT ${columns} FROM raw_frames WHERE device = {deviceId: UInt32} AND node != {deviceId: UInt32} AND ${RANGE}`

const row = z.tuple([
  z.coerce.number(),
  z.coerce.number(),
  z.number(),
  z.number(),
  z.string(),
  z.number(),
  z.string(),
])
const number = z.tuple([z.coerce.number()])
const text = z.tuple([z.string()])

/** The device whose frames are listed, and the time range: `from` included, `to` excluded, Unix ms. */
type FrameRange = {
  readonly deviceId: number
  readonly from: number
  readonly to: number
}

/** Condition for the visible frames of a gateway, and the names that are hidden. */
interface Shown {
  readonly condition: string
  readonly hidden: readonly string[]
}
const EVERYTHING: Shown = { condition: '', hidden: [] }

/**
 * Lists the frames of a device; for a gateway, those of all devices behind it. A limited scope does not see frames of
 * devices outside it, whether they are behind the gateway or only named, nor of removed devices. Frames that name no
 * known device belong to the gateway.
 */
export function createListRawFrames(
  client: ClickHouseClient,
  directory: Pick<DeviceDirectory, 'find' | 'findById'>,
  clock: Pick<Clock, 'now'>,
) {
  const read = createReadRows(client, MAX_SECONDS)

  const isShown = (scope: Scope, id: number): boolean => {
    const device = directory.findById(id)
    return device !== undefined && covers(scope, device.path)
  }

  /** Of names without a device behind the gateway, those of devices outside the scope. Undefined if that cannot be decided. */
  function findHidden(
    scope: Scope,
    gatewayId: number,
    names: readonly string[],
  ): readonly string[] | undefined {
    const gateway = directory.findById(gatewayId)
    if (names.length === 0) return []
    if (!gateway || names.length > MAX_NAMES) return undefined
    return names.filter((name) => {
      const device = directory.find(gateway.tenant, name)
      return device !== undefined && !covers(scope, device.path)
    })
  }

  async function narrow(scope: Scope, params: FrameRange): Promise<Shown> {
    if (scope.kind === 'all') return EVERYTHING
    const [found, named] = await Promise.all([
      read(number, sentBy('DISTINCT device', ''), params),
      read(text, `${sentBy('DISTINCT named', 'AND device = 0')} LIMIT ${MAX_NAMES + 1}`, params),
    ])
    const { deviceId } = params
    // A grant of the device itself still applies after it is retired, when the directory no longer has it.
    const ids = found.flatMap(([id]) => (id !== 0 && id !== deviceId && isShown(scope, id) ? [id] : []))
    const hidden = findHidden(
      scope,
      deviceId,
      named.map(([name]) => name),
    )
    const isNamed = `device IN (${[deviceId, ...ids].join(',')})`
    return hidden
      ? {
          condition: `AND (${isNamed} OR (device = 0 AND named NOT IN {hidden: Array(String)}))`,
          hidden,
        }
      : { condition: `AND ${isNamed}`, hidden: [] }
  }

  function toItem(scope: Scope, [receivedAt, ts, gatewayId, device, named, sent, hex]: z.infer<typeof row>) {
    const sender = directory.findById(gatewayId)
    const item: RawFrameItem = {
      receivedAt,
      ts,
      named,
      hex,
      dir: sent === 1 ? 'tx' : 'rx',
      // A device may be granted without its concentrator.
      node: sender && covers(scope, sender.path) ? sender.serial : '',
      ...(device === 0 ? {} : { deviceId: device }),
    }
    return item
  }

  return async (
    scope: Scope,
    input: InputOf<typeof getRawFrames>,
  ): Promise<OutputOf<typeof getRawFrames>> => {
    const { deviceId, to = END_OF_TIME, limiter } = input
    const from = input.from ?? Math.max(0, Math.min(to, clock.now()) - RECENT_FRAMES_MS)
    const shown = await narrow(scope, { deviceId, from, to })
    const isConcentrator = directory.findById(deviceId)?.kind === 'concentrator'
    // A concentrator itself sent all frames that name it.
    const toFrames = (columns: string): string =>
      [sentBy(columns, shown.condition), ...(isConcentrator ? [] : [sentOf(columns)])].join(' UNION ALL ')
    const { page, size } = limiter
    const params = { deviceId, from, to, hidden: shown.hidden, size, offset: (page - 1) * size }
    const keys = `${KEY}, received, device`
    // A frame that is stored twice is returned twice until the engine merges its parts.
    const list = `SELECT toUnixTimestamp64Milli(received), ts, node, device, named, sent, lower(hex(bytes))
      FROM raw_frames WHERE (${keys}) ${toIn(client)} (
        SELECT ${keys} FROM (${toFrames(keys)}) ${ORDER} LIMIT 1 BY ${KEY} LIMIT {size: UInt32} OFFSET {offset: UInt64})
      ${ORDER} LIMIT 1 BY ${KEY}`
    const [rows, counted] = await Promise.all([
      read(row, list, params),
      read(number, `SELECT uniqExact(${KEY}) FROM (${toFrames(KEY)})`, params),
    ])
    return { datalist: rows.map((found) => toItem(scope, found)), total: counted[0]?.[0] ?? 0 }
  }
}
