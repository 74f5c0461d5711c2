import { DeleteOutlined } from '@ant-design/icons'
import { listening } from '@isotherm/contract/gateway-config'
import { AutoComplete, Button, Select } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import styles from './config.module.css'
import { type DraftPath, getAt, toText } from './draft/draft.ts'
import type { Editor } from './draft/editor.ts'
import { toKey } from './draft/find-draft-faults.ts'
import { EntryControl } from './entry-control.tsx'
import { useFaultText } from './use-fault-text.ts'

interface OneDeviceProps {
  readonly path: DraftPath
  /** Whether it has a name at the platform of its operator. */
  readonly isNamed: boolean
  /** Whether it is a device of a radio network. Such a device may listen only after its own reports. */
  readonly hasClass: boolean
  readonly editor: Editor
  readonly serials: readonly { readonly value: string; readonly label: string }[]
  readonly profiles: Editor['profiles']
  /** Returns the fields to set for a serial, by name. */
  readonly onSerial: (serial: string) => object
  readonly onRemove: () => void
}

/** A device of a line, with its serial, address, profile and poll period. */
export function OneDevice(props: OneDeviceProps) {
  const { path, isNamed, hasClass, editor, serials, profiles, onSerial, onRemove } = props
  const { t } = useTranslation('devices')
  const language = useLanguage()
  const toFaultText = useFaultText()
  const id = useId()
  const device = getAt(editor.draft, path)
  const fieldOf = (name: string) => getAt(device, [name])
  const profile = profiles.find((each) => each.id === fieldOf('profile'))
  const toField = (
    name: 'serial' | 'address' | 'profile' | 'platformId' | 'pollPeriodS' | 'listens',
    isRequired: boolean,
    control: (common: {
      readonly id: string
      readonly testId: string
      readonly isFaulty: boolean
    }) => ReactNode,
  ) => {
    const fault = toFaultText(editor.faultAt([...path, name]))
    const label = t(`config.field.${name}`)
    return (
      <Field label={isRequired ? `${label} *` : label} htmlFor={`${id}-${name}`} fault={fault}>
        {control({
          id: `${id}-${name}`,
          testId: `config-${toKey([...path, name])}`,
          isFaulty: fault !== undefined,
        })}
      </Field>
    )
  }
  const toEntry = (name: 'address' | 'platformId' | 'pollPeriodS', kind: 'text' | 'number') =>
    toField(name, name !== 'pollPeriodS', (common) => (
      <EntryControl
        {...common}
        kind={kind}
        value={fieldOf(name)}
        {...(name === 'pollPeriodS' && profile && { initial: profile.pollPeriodS })}
        onValue={(next) => editor.change([...path, name], next)}
      />
    ))
  return (
    <div className={styles.device}>
      <div>
        {toField('serial', true, ({ testId, isFaulty, ...common }) => (
          <AutoComplete
            {...common}
            className={form.wide ?? ''}
            data-testid={testId}
            status={isFaulty ? 'error' : ''}
            value={toText(fieldOf('serial'))}
            options={[...serials]}
            showSearch={{
              filterOption: (typed, option) => `${option?.label}`.toLowerCase().includes(typed.toLowerCase()),
            }}
            onChange={(serial: string) => {
              for (const [name, value] of Object.entries(onSerial(serial)))
                editor.change([...path, name], value)
            }}
          />
        ))}
        {isNamed && toEntry('platformId', 'text')}
        {toEntry('address', 'text')}
        {toField('profile', true, ({ testId, isFaulty, ...common }) => (
          <Select
            {...common}
            className={form.wide ?? ''}
            data-testid={testId}
            status={isFaulty ? 'error' : ''}
            showSearch={{ optionFilterProp: 'label' }}
            value={fieldOf('profile') ?? null}
            options={profiles.map(({ id: value, name }) => ({ value, label: name[language] }))}
            onChange={(next) => editor.change([...path, 'profile'], next)}
          />
        ))}
        {toEntry('pollPeriodS', 'number')}
        {hasClass &&
          toField('listens', false, (common) => (
            <EntryControl
              {...common}
              kind="choice"
              options={listening.options.map((value) => ({ value, label: t(`config.listens.${value}`) }))}
              value={fieldOf('listens')}
              initial="after-report"
              onValue={(next) => editor.change([...path, 'listens'], next)}
            />
          ))}
      </div>
      <Button
        type="text"
        icon={<DeleteOutlined />}
        aria-label={t('config.removeDevice')}
        onClick={onRemove}
      />
    </div>
  )
}
