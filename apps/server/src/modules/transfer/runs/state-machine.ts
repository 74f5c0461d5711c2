import type { TransferState } from '@isotherm/contract/transfer'

/** Events of an import; docs/specs/transfer.md describes them. */
export const transferEvents = [
  'uploaded',
  'check',
  'import',
  'checked',
  'cleared',
  'imported',
  'fault',
  'cancel',
] as const
export type TransferEvent = (typeof transferEvents)[number]

/** No event changes the state, unless a row below overrides it. */
const nothing = {
  uploaded: undefined,
  check: undefined,
  import: undefined,
  checked: undefined,
  cleared: undefined,
  imported: undefined,
  fault: undefined,
  cancel: undefined,
} as const

/** The complete transition table: the state an event leads to, undefined if it changes nothing. */
export const transitions: Readonly<
  Record<TransferState, Readonly<Record<TransferEvent, TransferState | undefined>>>
> = {
  uploading: { ...nothing, uploaded: 'uploaded', fault: 'failed', cancel: 'cancelled' },
  uploaded: { ...nothing, check: 'checking', import: 'checking', cancel: 'cancelled' },
  checking: { ...nothing, checked: 'checked', cleared: 'importing', fault: 'failed', cancel: 'cancelled' },
  checked: { ...nothing, check: 'checking', import: 'checking', cancel: 'cancelled' },
  importing: { ...nothing, imported: 'done', fault: 'failed', cancel: 'cancelled' },
  done: nothing,
  failed: nothing,
  cancelled: nothing,
}

/** States that an event changes. */
export const statesBefore = (event: TransferEvent): readonly TransferState[] =>
  (Object.keys(transitions) as TransferState[]).filter((state) => transitions[state][event] !== undefined)
