import type { Pipe } from '@isotherm/contract/endpoints/network/pipes'
import { type PipeMaterial, type PipeRecord, pipeRecord } from '@isotherm/contract/network/pipes'
import type { NodeKey } from '@isotherm/contract/tree'

/** A pipe in the form; numbers may be missing. */
export interface PipeDraft {
  readonly from: NodeKey | undefined
  readonly to: NodeKey | undefined
  readonly lengthM: number | null
  readonly innerDiameterMm: number | null
  readonly material: PipeMaterial
  readonly roughnessMm: number | null
  readonly laidYear: number | null
}

/** A new pipe is of steel by default, as in imports. */
export const startPipe = (pipe?: Pick<Pipe, 'from' | 'to' | 'record'>): PipeDraft => ({
  from: pipe?.from,
  to: pipe?.to,
  lengthM: null,
  innerDiameterMm: null,
  material: 'steel',
  roughnessMm: null,
  laidYear: null,
  ...pipe?.record,
})

export interface CompletePipe {
  readonly from: NodeKey
  readonly to: NodeKey
  readonly record: PipeRecord
}

/** The complete pipe; undefined if a required value is missing or invalid. */
export function findComplete({ from, to, ...typed }: PipeDraft): CompletePipe | undefined {
  const record = pipeRecord.safeParse(typed).data
  return from === undefined || to === undefined || from === to || record === undefined
    ? undefined
    : { from, to, record }
}
