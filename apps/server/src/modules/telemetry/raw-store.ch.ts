import { Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { getRawFrames, RawFrameItem } from '@isotherm/contract/endpoints/raw-frames'
import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse.ch.ts'
import { covers, type Scope } from '../../platform/scope.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import type { RawFrame } from './raw-frame.ts'
import { encodeFrames, RAW_COLUMNS } from './raw-rows.ts'

/** Stores frames; one that is stored again is still one (see migrations.ch.ts). */
export const createRawStore =
  (client: ClickHouseClient) =>
  async (frames: readonly RawFrame[]): Promise<void> => {
    const query = `INSERT INTO raw_frames (${RAW_COLUMNS}) FORMAT RowBinary`
    const { stream } = await client.exec({
      query,
      values: Readable.from([encodeFrames(frames)], { objectMode: false }),
    })
    await readAll(stream)
  }

const MOST_SECONDS = 10
const WHERE = `(node = {deviceId: UInt32} OR device = {deviceId: UInt32})
  AND received >= fromUnixTimestamp64Milli({from: Int64}) AND received < fromUnixTimestamp64Milli({to: Int64})`

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

/**
 * Lists the frames of a device, and of a node those of all behind it. What was on a node's bus of a device outside of
 * the scope is not shown, nor of one that is no longer there; what names none of ours belongs to the node.
 */
export function createListRawFrames(client: ClickHouseClient, directory: Pick<DeviceDirectory, 'findById'>) {
  async function read<Row extends z.ZodType>(
    schema: Row,
    query: string,
    query_params: Record<string, unknown>,
  ): Promise<z.infer<Row>[]> {
    const settings = `SETTINGS max_execution_time = ${MOST_SECONDS}`
    const answer = await client.query({
      query: `${query} ${settings}`,
      query_params,
      format: 'JSONCompactEachRow',
    })
    return z.array(schema).parse(await answer.json())
  }

  /** Devices of frames that match, 0 for none of ours, which the scope shows; undefined for whatever they are of. */
  async function narrow(
    scope: Scope,
    params: Record<string, unknown>,
  ): Promise<readonly number[] | undefined> {
    if (scope.kind === 'all') return undefined
    const found = await read(number, `SELECT DISTINCT device FROM raw_frames WHERE ${WHERE}`, params)
    return found.flatMap(([id]) => {
      if (id === 0) return [id]
      const device = directory.findById(id)
      return device && covers(scope, device.path) ? [id] : []
    })
  }

  return async (
    scope: Scope,
    input: InputOf<typeof getRawFrames>,
  ): Promise<OutputOf<typeof getRawFrames>> => {
    const { deviceId, from = 0, to = 4_102_444_800_000, limiter } = input
    const params = { deviceId, from, to }
    const devices = await narrow(scope, params)
    if (devices?.length === 0) return { datalist: [], total: 0 }
    const where = `WHERE ${WHERE} ${devices ? `AND device IN (${devices.join(',')})` : ''}`
    const { page, size } = limiter
    const list = `SELECT toUnixTimestamp64Milli(received), ts, node, device, named, sent, lower(hex(bytes))
      FROM raw_frames FINAL ${where} ORDER BY received DESC, ts DESC, seq DESC, part DESC
      LIMIT {size: UInt32} OFFSET {offset: UInt64}`
    const [rows, counted] = await Promise.all([
      read(row, list, { ...params, size, offset: (page - 1) * size }),
      read(number, `SELECT count() FROM raw_frames FINAL ${where}`, params),
    ])
    const datalist = rows.map(
      ([receivedAt, ts, node, device, named, sent, hex]): RawFrameItem => ({
        ...{ receivedAt, ts, node: directory.findById(node)?.serial ?? '', named, hex },
        ...(device === 0 ? {} : { deviceId: device }),
        dir: sent === 1 ? 'tx' : 'rx',
      }),
    )
    return { datalist, total: counted[0]?.[0] ?? 0 }
  }
}
