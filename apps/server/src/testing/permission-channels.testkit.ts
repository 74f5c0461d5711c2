import { type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import type { z } from 'zod'
import { PLACED_DAY, type PlacedReadings } from './placed-things.testkit.ts'
import type { TestServer } from './server.testkit.ts'

export const valves = ['V-b2u1', 'V-b2u2', 'V-b10u1', 'V-b10u2', 'V-b3u1', 'V-b3u2'] as const
export type Valve = (typeof valves)[number]

const limiter = { page: 1, size: 1_000 }
const metrics = ['valve.opening']

/** Readings whose sums identify the valves: each valve has 2^index readings of the value 2^index. */
export const bitmaskReadings: readonly PlacedReadings[] = valves.map((serial, index) => ({
  serial,
  metric: 'valve.opening' as const,
  count: 2 ** index,
  value: 2 ** index,
}))

const toValves = (sum: number): readonly Valve[] => valves.filter((_, index) => (sum & (2 ** index)) !== 0)

/** Calls and downloads of one account. */
export interface AccountCalls {
  get<Input extends z.ZodType, Output>(
    endpoint: Endpoint<Input, z.ZodType<Output>>,
    input: z.infer<Input>,
  ): Promise<Output>
  /** Downloads a CSV file and returns its lines without the header. */
  download<Input extends z.ZodType>(
    endpoint: Endpoint<Input>,
    input: z.input<Input>,
  ): Promise<readonly string[]>
}

/** Downloads files with the token of an account. */
export const createDownload =
  (server: TestServer, token: string): AccountCalls['download'] =>
  async (endpoint, input) => {
    const response = await fetch(new URL(toUrlPath(endpoint), server.base), {
      method: endpoint.method,
      headers: { ...server.toHeaders(endpoint, token), 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    })
    const text = await response.text()
    if (!response.headers.get('content-type')?.startsWith('text/csv')) throw new Error(text)
    return text.split('\r\n').slice(1, -1)
  }

/** The valves that lines name. A line without a valve is returned whole. */
const findValves = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => /V-b\d+u\d/.exec(line)?.[0] ?? line)

type Channels = Readonly<Record<string, () => Promise<readonly string[]>>>

/** Channels that aggregate or export readings or list their faults. */
export function createReadingChannels({ get, download }: AccountCalls): Channels {
  const rows = { deviceIds: [], nodes: [], kinds: ['valve' as const], metrics, ...PLACED_DAY }
  return {
    spread: async () => {
      const spread = { nodes: [], kinds: ['valve' as const], metric: 'valve.opening', level: 'day' as const }
      const { datalist } = await get(endpoints.getDataSpread, { ...spread, ...PLACED_DAY })
      return toValves(datalist.reduce((sum, { devices, mean }) => sum + devices * mean, 0))
    },
    'rows counted': async () => {
      const counted = await get(endpoints.countDataRows, { ...rows, level: 'raw' })
      const seen = toValves(counted.rows)
      return counted.devices === seen.length ? seen : [`${counted.devices} devices`]
    },
    'readings exported': async () =>
      findValves(await download(endpoints.exportDataRows, { ...rows, level: 'raw', format: 'csv' })),
    'days exported': async () =>
      findValves(await download(endpoints.exportDataRows, { ...rows, level: 'day', format: 'csv' })),
    findings: async () =>
      (await get(endpoints.getFindings, { isOpen: false, limiter })).datalist.map(({ imei }) => imei),
    quarantine: async () =>
      (await get(endpoints.getQuarantine, { limiter })).datalist.map(({ node }) => node),
    'alarm log exported': async () => findValves(await download(endpoints.exportAlarmLog, { format: 'csv' })),
    // Each valve has one batch with its serial as the reason.
    batches: async () =>
      (await get(endpoints.getCtlBatches, { limiter })).datalist
        .map(({ reason }) => reason)
        .filter((reason) => reason.startsWith('V-')),
  }
}

/** The buildings that entries belong to: the last name of their places. */
const toBuildings = (entered: readonly { readonly nestaddr: string }[]): readonly string[] =>
  entered.map(({ nestaddr }) => nestaddr.split(',').at(-1) ?? '').toSorted()

/** Buildings with alarm rules, silences and notification targets that the account sees. */
export async function readAlarmSettings({ get }: AccountCalls) {
  const page = { nodes: [], filter: [], limiter }
  return {
    rules: toBuildings((await get(endpoints.getAlarmRules, page)).datalist),
    silences: toBuildings((await get(endpoints.getAlarmSilences, page)).datalist),
    targets: toBuildings((await get(endpoints.getAlarmTargets, page)).datalist),
  }
}

/** Buildings with a campaign that the account sees: only buildings granted as a whole. */
export async function readCampaigns({ get }: AccountCalls): Promise<readonly string[]> {
  return toBuildings((await get(endpoints.getCampaigns, { limiter })).datalist)
}

/** The number of open alarms, including silenced ones. */
export async function countAlarms({ get }: AccountCalls): Promise<number> {
  const { bySeverity, silenced, suppressed } = await get(endpoints.countAlarms, { nodes: [] })
  return bySeverity.reduce((sum, { total }) => sum + total, silenced + suppressed)
}
