import type { CampaignAbort } from '../balancing/campaign.ts'

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

/** One of `abortTexts` with its placeholders, such as {headKpa}, filled from the abort. */
export function toAbortText(text: string, abort: CampaignAbort, write: AbortWriter): string {
  const values = toValues(abort, write)
  return text.replace(/\{(?<name>\w+)\}/g, (_, name: string) => values[name] ?? '')
}
