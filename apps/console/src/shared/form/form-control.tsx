import { Input, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { ScanNumber } from '../scan/scan-number.tsx'
import form from './form.module.css'
import type { ControlProps, FormField } from './form-field.ts'
import { NodePicker } from './node-picker.tsx'
import { NodesPicker } from './nodes-picker.tsx'

interface FormControlProps extends ControlProps {
  readonly field: FormField<string>
}

/** Height of a text area, lines. */
const AREA_ROWS = 3

/** The control of a field. */
export function FormControl({ field, ...props }: FormControlProps): ReactNode {
  const { id, value, isFaulty, onValue } = props
  const text = typeof value === 'string' ? value : ''
  const common = {
    id,
    'data-testid': `field-${field.name}`,
    'aria-invalid': isFaulty,
    status: isFaulty ? ('error' as const) : ('' as const),
  }
  switch (field.control) {
    case 'text': {
      const input = <Input {...common} value={text} onChange={({ target }) => onValue(target.value)} />
      if (!field.scanned) return input
      return (
        <div className={form.scanned}>
          {input}
          <ScanNumber number={field.scanned} testId={`scan-${field.name}`} onNumber={onValue} />
        </div>
      )
    }
    case 'password':
      return (
        <Input.Password
          {...common}
          value={text}
          autoComplete="new-password"
          onChange={({ target }) => onValue(target.value)}
        />
      )
    case 'area':
      return (
        <Input.TextArea
          {...common}
          value={text}
          rows={AREA_ROWS}
          onChange={({ target }) => onValue(target.value)}
        />
      )
    case 'number':
      return (
        <InputNumber
          {...common}
          className={form.wide ?? ''}
          value={typeof value === 'number' ? value : null}
          suffix={field.unit}
          onChange={(next) => onValue(next ?? undefined)}
        />
      )
    case 'switch':
      return (
        <Switch id={id} data-testid={`field-${field.name}`} checked={value === true} onChange={onValue} />
      )
    case 'select':
      return (
        <Select
          {...common}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={value ?? null}
          options={[...field.options]}
          onChange={(next) => onValue(next ?? undefined)}
        />
      )
    case 'multi':
      return (
        <Select
          {...common}
          mode="multiple"
          showSearch={{ optionFilterProp: 'label' }}
          value={Array.isArray(value) ? value : []}
          options={[...field.options]}
          onChange={onValue}
        />
      )
    case 'node':
      return (
        <NodePicker
          id={id}
          value={typeof value === 'string' ? value : undefined}
          onNode={onValue}
          {...(field.isScanned && { scanTestId: `scan-${field.name}` })}
        />
      )
    case 'nodes':
      return (
        <NodesPicker
          id={id}
          testId={`field-${field.name}`}
          value={Array.isArray(value) ? value : []}
          onNodes={onValue}
        />
      )
    case 'own':
      return field.render(props)
  }
}
