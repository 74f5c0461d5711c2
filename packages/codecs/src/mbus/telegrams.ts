import type { MbusData } from './decode.ts'
import type { MbusRecord } from './records.ts'

type Telegram = Extract<MbusData, { kind: 'telegram' }>

/** Records of an answer in several telegrams. */
export interface Readout {
  readonly records: readonly MbusRecord[]
  /** The last telegram announced no more. */
  readonly isComplete: boolean
  /** Telegrams so far. */
  readonly count: number
  readonly lastAccessNumber: number | undefined
}

export const emptyReadout: Readout = { records: [], isComplete: false, count: 0, lastAccessNumber: undefined }

/** Telegrams of one answer at most; a meter that announces more without end is cut off here. */
export const MAX_TELEGRAMS = 64

/**
 * Adds a telegram. The request for the next one toggles the FCB. A meter that missed the toggle repeats its telegram with the same
 * access number; the repetition is not added.
 */
export function addTelegram(readout: Readout, telegram: Telegram): Readout {
  if (readout.isComplete) return readout
  const accessNumber = telegram.state?.accessNumber
  const isRepeated =
    readout.count > 0 && accessNumber !== undefined && accessNumber === readout.lastAccessNumber
  if (isRepeated) return readout
  const count = readout.count + 1
  return {
    records: [...readout.records, ...telegram.records],
    isComplete: !telegram.moreFollows || count >= MAX_TELEGRAMS,
    count,
    lastAccessNumber: accessNumber,
  }
}
