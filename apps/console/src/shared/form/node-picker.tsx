import type { NodeKey } from '@isotherm/contract/tree'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../format/address.ts'
import form from './form.module.css'
import type { NodeChoice } from './node-choices.ts'
import { useNodeChoices } from './use-node-choices.ts'

interface NodePickerProps {
  readonly id: string
  readonly value: NodeKey | undefined
  readonly onNode: (node: NodeKey) => void
  /** Makes the choice removable. */
  readonly onClear?: () => void
  /** Accessible name and placeholder, if no label belongs to the picker. */
  readonly label?: string
  /** The value at the start with its address, so that its name is known. */
  readonly first?: NodeChoice
}

/** Chooses one node: a selected one, a project, or by a search over the whole company. */
export function NodePicker({ id, value, onNode, onClear, label, first }: NodePickerProps) {
  const { t } = useTranslation('common')
  const [last, setLast] = useState<NodeChoice | undefined>(first)
  const { choices, setTyped, isLoading, none } = useNodeChoices(last ? [last] : [])
  return (
    <Select
      id={id}
      className={form.wide ?? ''}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      placeholder={label ?? t('node.placeholder')}
      aria-label={label}
      allowClear={onClear !== undefined}
      {...(onClear && { onClear })}
      value={value ?? null}
      loading={isLoading}
      notFoundContent={none}
      options={choices.map(({ key, nestaddr }) => ({ value: key, label: toWholeAddress(nestaddr) }))}
      onChange={(key) => {
        setLast(choices.find((choice) => choice.key === key))
        if (key !== null) onNode(key)
      }}
    />
  )
}
