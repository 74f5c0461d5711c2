import { endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS } from '@isotherm/kernel/durations'
import { readResidentMb } from '../../tools/product/processes.ts'
import type { Session } from '../registry/server-calls.ts'
import type { MadeReadings } from './readings.ts'

const ROWS = 5_000_000
const SAMPLE_MS = 100

export interface ExportMeasured {
  readonly rows: number
  readonly seconds: number
  readonly mb: number
  /** What the server held before, and at most while it exported, MB. */
  readonly beforeMb: number
  readonly mostMb: number
}

/** Readings of the whole company as csv, over as many of the last days as make 5,000,000 rows. */
export async function measureExport(
  session: Session,
  serverPid: number,
  { rows, from, to }: MadeReadings,
): Promise<ExportMeasured> {
  const perDay = rows / ((to - from) / DAY_MS)
  const range = { from: Math.max(from, Math.floor(to - (ROWS / perDay) * DAY_MS)), to }
  const kinds = ['room-sensor' as const, 'valve' as const, 'heat-meter' as const]
  const names = [
    'temp.room',
    'valve.opening',
    'temp.return',
    'temp.supply',
    'heat.energy',
    'heat.volume',
  ] as const
  const metrics = [...names, 'heat.power', 'heat.flow', 'bat.v']
  const input = { nodes: [], deviceIds: [], kinds, metrics, level: 'raw' as const, ...range }
  const { data } = await session.call(endpoints.countDataRows, input)
  const beforeMb = readResidentMb(serverPid)
  let mostMb = beforeMb
  const sampler = setInterval(() => {
    mostMb = Math.max(mostMb, readResidentMb(serverPid))
  }, SAMPLE_MS)
  try {
    const { lines, bytes, ms } = await session.download(endpoints.exportDataRows, { ...input, format: 'csv' })
    if (lines - 1 > data.rows || lines - 1 < data.rows * 0.999)
      throw new Error(`${data.rows} rows were counted and ${lines - 1} came`)
    return { rows: lines - 1, seconds: ms / 1000, mb: bytes / 1e6, beforeMb, mostMb }
  } finally {
    clearInterval(sampler)
  }
}
