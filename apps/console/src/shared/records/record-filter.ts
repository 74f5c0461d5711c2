import type { Option } from '../form/form-field.ts'

/** A filter of a list of records: one choice. */
export interface RecordFilter {
  /** Name in the address. */
  readonly name: string
  readonly label: string
  readonly options: readonly Option[]
}
