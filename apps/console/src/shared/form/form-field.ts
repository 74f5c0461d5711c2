import type { ReactNode } from 'react'
import type { ScannedNumber } from '../scan/scan-number.tsx'

export interface Option {
  readonly value: string | number
  readonly label: string
}

/** What a control of an own kind gets. */
export interface ControlProps {
  readonly id: string
  readonly value: unknown
  readonly isFaulty: boolean
  /** The present values of all fields. */
  readonly values: Readonly<Record<string, unknown>>
  readonly onValue: (value: unknown) => void
}

/** How the value of a field is entered. */
type Control =
  | { readonly control: 'area' | 'password' | 'switch' | 'nodes' }
  /** `scanned`: the number of a device that may be scanned instead of typed. */
  | { readonly control: 'text'; readonly scanned?: ScannedNumber }
  /** `isScanned`: the label of a device that is mounted already may be scanned to choose its place. */
  | { readonly control: 'node'; readonly isScanned?: boolean }
  | { readonly control: 'number'; readonly unit?: string }
  | { readonly control: 'select' | 'multi'; readonly options: readonly Option[] }
  | { readonly control: 'own'; readonly render: (props: ControlProps) => ReactNode }

/** A field of a form. Whether it is required, and which values are right, follows from the schema of the call. */
export type FormField<Name extends string> = Control & {
  readonly name: Name
  readonly label: string
  readonly hint?: string
  /** Text for a value of a wrong form, for example which characters an account name may have. */
  readonly wrongText?: string
  /** What an empty field means; by default the call has no value for it. */
  readonly emptyAs?: '' | null
  /** Whether the field is shown, by the values of the others. */
  readonly isShown?: (values: Readonly<Record<string, unknown>>) => boolean
}
