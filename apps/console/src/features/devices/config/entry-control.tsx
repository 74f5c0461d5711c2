import { Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import form from '../../../shared/form/form.module.css'
import { toText } from './draft/draft.ts'

interface EntryControlProps {
  readonly id: string
  readonly testId: string
  readonly kind: 'text' | 'number' | 'choice'
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly value: unknown
  /** Value of an absent field. */
  readonly initial?: unknown
  readonly isFaulty: boolean
  /** Called with undefined if nothing is entered. */
  readonly onValue: (value: unknown) => void
}

/** The control of one value of a configuration. */
export function EntryControl(props: EntryControlProps): ReactNode {
  const { id, testId, kind, options = [], value, initial, isFaulty, onValue } = props
  const common = {
    id,
    'data-testid': testId,
    'aria-invalid': isFaulty,
    status: isFaulty ? ('error' as const) : ('' as const),
    placeholder: initial === undefined ? '' : String(initial),
  }
  switch (kind) {
    case 'number':
      return (
        <InputNumber
          {...common}
          className={form.wide ?? ''}
          value={typeof value === 'number' ? value : null}
          onChange={(next) => onValue(next ?? undefined)}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          className={form.wide ?? ''}
          value={value ?? initial ?? null}
          options={[...options]}
          onChange={onValue}
        />
      )
    case 'text':
      return (
        <Input
          {...common}
          value={toText(value)}
          onChange={({ target }) => onValue(target.value === '' ? undefined : target.value)}
        />
      )
  }
}
