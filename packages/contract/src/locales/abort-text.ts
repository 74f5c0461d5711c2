import type { CampaignAbort } from '../balancing/campaign.ts'
import type { Language } from './error-param.ts'

type AbortTexts = Readonly<Record<Language, Readonly<Record<CampaignAbort['kind'], string>>>>

/** Short names of the reasons for which campaigns abort. */
export const abortNames = {
  zh: {
    unanswered: '未应答的命令过多',
    'head-outside': '站内资用压头超出范围',
    starved: '有楼栋流量不足',
    'cold-rooms': '室温不达标的房间增多',
    'not-measured': '稳定期间没有可用测量值',
    refused: '命令被拒绝',
  },
  en: {
    unanswered: 'Too many commands were not answered',
    'head-outside': 'Available head at the station out of limits',
    starved: 'Buildings with too little flow',
    'cold-rooms': 'More rooms too cold than before',
    'not-measured': 'No usable readings while settling',
    refused: 'Commands refused',
  },
} as const satisfies AbortTexts

/** Sentences for the same reasons, with {name} for each value; `toAbortText` fills them. */
export const abortSentences = {
  zh: {
    unanswered: '有 {share} 的命令没有确认到位，超过允许的比例。',
    'head-outside': '站内资用压头为 {headKpa} kPa，超出允许范围。',
    starved: '{count} 个阀门的流量不到预测的 70%，且低于调节前：{devices}。',
    'cold-rooms': '低于 18 °C 的房间由 {before} 个增加到 {now} 个。',
    'not-measured': '没有可用的测量值，或环路已无法读取（例如换热站控制器已被移动），无法判断结果。',
    refused: '命令被拒绝：{reason}。',
  },
  en: {
    unanswered: '{share} of the commands were not confirmed, more than is allowed.',
    'head-outside': 'The available head at the station was {headKpa} kPa, outside its limits.',
    starved: 'Valves below 70% of the predicted flow and below their flow before ({count}): {devices}.',
    'cold-rooms': 'Rooms below 18 °C rose from {before} to {now}.',
    'not-measured':
      'There were no usable readings, or the loop can no longer be read (for example, its controller was moved), so the result cannot be judged.',
    refused: 'A command was refused: {reason}.',
  },
} as const satisfies AbortTexts

/** Writes what an abort carries in the language and the formats of a reader. */
export interface AbortWriter {
  readonly number: (value: number) => string
  /** Names of the devices. */
  readonly devices: (deviceIds: readonly number[]) => string
  /** Why commands refused an order. */
  readonly refusal: (refused: Extract<CampaignAbort, { kind: 'refused' }>) => string
}

/** A share as per cent, any other number under its own name, a list of devices as `devices` and `count`. */
function toValues(abort: CampaignAbort, write: AbortWriter): Readonly<Record<string, string>> {
  if (abort.kind === 'refused') return { reason: write.refusal(abort) }
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(abort)) {
    if (typeof value === 'number')
      values[name] = name === 'share' ? `${write.number(100 * value)}%` : write.number(value)
    if (Array.isArray(value)) {
      values.devices = write.devices(value)
      values.count = write.number(value.length)
    }
  }
  return values
}

/** One of `abortSentences` with its placeholders, such as {headKpa}, filled from the abort. */
export function toAbortText(text: string, abort: CampaignAbort, write: AbortWriter): string {
  const values = toValues(abort, write)
  return text.replace(/\{(?<name>\w+)\}/g, (_, name: string) => values[name] ?? '')
}
