import { endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS } from '@isotherm/kernel/durations'
import { readResidentMb } from '../../tools/product/processes.ts'
import type { Session } from '../registry/server-calls.ts'
import type { GeneratedReadings } from './readings.ts'

const ROWS = 5_000_000
const SAMPLE_MS = 100

export interface ExportMeasured {
  readonly rows: number
  readonly seconds: number
  readonly mb: number
  /** Memory of the server before the export, MB. */
  readonly beforeMb: number
  readonly maxMb: number
}

/** Exports the newest 5,000,000 readings (in whole days) of the whole company as CSV. */
export async function measureExport(
  session: Session,
  serverPid: number,
  { rows, from, to }: GeneratedReadings,
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
  let maxMb = beforeMb
  const sampler = setInterval(() => {
    maxMb = Math.max(maxMb, readResidentMb(serverPid))
  }, SAMPLE_MS)
  try {
    const { lines, bytes, ms } = await session.download(endpoints.exportDataRows, { ...input, format: 'csv' })
    if (lines - 1 > data.rows || lines - 1 < data.rows * 0.999)
      throw new Error(`${data.rows} rows were counted and ${lines - 1} came`)
    return { rows: lines - 1, seconds: ms / 1000, mb: bytes / 1e6, beforeMb, maxMb }
  } finally {
    clearInterval(sampler)
  }
}
