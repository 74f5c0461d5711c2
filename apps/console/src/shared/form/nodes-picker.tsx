import type { NodeKey } from '@isotherm/contract/tree'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../format/address.ts'
import { useTreeSelection } from '../nodes/tree-selection.ts'
import form from './form.module.css'
import type { NodeChoice } from './node-choices.ts'
import { useNodeChoices } from './use-node-choices.ts'

interface NodesPickerProps {
  readonly id: string
  readonly testId: string
  readonly value: readonly NodeKey[]
  readonly onNodes: (nodes: readonly NodeKey[]) => void
}

/** Maximum number of checked nodes that are added at once. */
const MAX_ADDED = 200

/** The checked nodes of the tree, each without the nodes below it. */
function useChecked(): readonly NodeChoice[] {
  const { published, covering } = useTreeSelection()
  const wanted = new Set(covering.slice(0, MAX_ADDED))
  const checked: NodeChoice[] = []
  for (const { key, nestaddr } of published) {
    if (wanted.size === 0) break
    if (wanted.delete(key) && nestaddr) checked.push({ key, nestaddr })
  }
  return checked
}

/** Chooses several nodes: the checked ones of the tree at once, or one by one as NodePicker does. */
export function NodesPicker({ id, testId, value, onNodes }: NodesPickerProps) {
  const { t } = useTranslation('common')
  const [known, setKnown] = useState<readonly NodeChoice[]>([])
  const checked = useChecked()
  const { choices, setTyped, isLoading, none } = useNodeChoices([...known, ...checked])
  const missing = checked.filter(({ key }) => !value.includes(key))
  const choose = (keys: readonly NodeKey[], from: readonly NodeChoice[]) => {
    setKnown([...known, ...from].filter(({ key }) => keys.includes(key)))
    onNodes(keys)
  }
  const options = [...known, ...choices].map(({ key, nestaddr }) => ({
    value: key,
    label: toWholeAddress(nestaddr),
  }))
  return (
    <>
      <Select
        id={id}
        className={form.wide ?? ''}
        mode="multiple"
        data-testid={testId}
        showSearch={{ filterOption: false, onSearch: setTyped }}
        placeholder={t('node.placeholder')}
        value={[...value]}
        loading={isLoading}
        notFoundContent={none}
        options={[...new Map(options.map((option) => [option.value, option])).values()]}
        onChange={(keys) => choose(keys, choices)}
      />
      {missing.length > 0 && (
        <Button
          size="small"
          data-testid={`${testId}-checked`}
          onClick={() => choose([...value, ...missing.map(({ key }) => key)], missing)}
        >
          {t('node.addChecked', { count: missing.length })}
        </Button>
      )}
    </>
  )
}
